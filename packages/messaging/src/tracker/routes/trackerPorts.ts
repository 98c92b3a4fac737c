import type { Clock } from "@headwater/kernel";
import type { FrameProducer } from "@headwater/topics";
import type { TrackingTokens } from "../../tracking/trackingTokens.ts";
import type { EventQueue } from "../events/eventQueue.ts";
import type { HeldClicks } from "../events/heldClicks.ts";
import type { OfferedLists } from "../preferences/offeredLists.ts";
import type { IsPending } from "../preferences/pendingChannel.ts";

/** Ports of the routes. */
export interface TrackerPorts {
  readonly tokens: TrackingTokens;
  readonly producer: Pick<FrameProducer, "append">;
  readonly queue: Pick<EventQueue, "add">;
  readonly clicks: HeldClicks;
  readonly clock: Clock;
  /** Lists of the unsubscribe page; without them it offers the channel alone. */
  readonly lists?: OfferedLists | undefined;
  readonly isPending?: IsPending | undefined;
}
