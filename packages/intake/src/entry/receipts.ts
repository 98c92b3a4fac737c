import { type ReceiptPart, sealReceipt } from "@headwater/contracts";
import { type Clock, systemClock } from "@headwater/kernel";
import { type Placement, topicNamed } from "@headwater/topics";
import type { RequestStamp } from "./entries.ts";

export type SealReceipt = (stamp: RequestStamp, accountId: string, placements: readonly Placement[]) => string;

/** @param secret shared by the processes that make and read receipts. */
export function createReceiptSeal(
  topic: string,
  secret: string,
  clock: Pick<Clock, "nowMs"> = systemClock,
): SealReceipt {
  const { lane: stream } = topicNamed(topic);
  if (stream === undefined) throw new Error(`the topic ${topic} has no lane`);
  return ({ requestId, receivedAtMs }, accountId, placements) =>
    sealReceipt(
      {
        requestId,
        accountId,
        receivedAt: receivedAtMs,
        ackedAt: clock.nowMs(),
        parts: placements.map((at) => toPart(stream, at)),
      },
      secret,
    );
}

function toPart(lane: number, { topic: _topic, ...placement }: Placement): ReceiptPart {
  return { lane, ...placement };
}
