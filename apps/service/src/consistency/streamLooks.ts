import { type FlowContext, SYSTEM_FLOW } from "@headwater/kernel";
import type { PublishedOffsets } from "@headwater/stores/outbox";
import type { Session } from "@headwater/stores/postgres";
import { readParked } from "@headwater/stores/receipts";
import { readPublished } from "./published.ts";
import { createSharedRead } from "./sharedRead.ts";

/** Reads of the streams that all waits share. */
export interface StreamLooks {
  /** Next offsets of the change topics; undefined while some row at or below the outbox position is not published. */
  published(position: number): Promise<PublishedOffsets | undefined>;
  /** Returns whether any record of the request is parked. */
  isParked(account: number, requestId: string): Promise<boolean>;
}

/** The reads serve all accounts, so they run in the system's flow: an account at its limit delays no other's answer. */
export function createStreamLooks(session: Session, flows: FlowContext): StreamLooks {
  const asSystem = <Result>(look: () => Promise<Result>) => flows.run(SYSTEM_FLOW, look);
  const published = createSharedRead((positions: readonly number[]) =>
    asSystem(() => readPublished(session, Math.max(...positions))),
  );
  const parked = createSharedRead((requests: readonly { readonly account: number; readonly requestId: string }[]) =>
    asSystem(() => readParked(session, requests)),
  );
  return {
    async published(position) {
      const { offsets, firstWaiting } = await published(position);
      return firstWaiting !== null && firstWaiting <= position ? undefined : offsets;
    },
    async isParked(account, requestId) {
      const found = await parked({ account, requestId });
      return found.some((request) => request.account === account && request.requestId === requestId);
    },
  };
}
