import { type FlowContext, SYSTEM_FLOW } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import type { PublishedOffsets } from "@headwater/postgres/outbox/outbox";
import { readPublished } from "./published.ts";

/** Reads of the streams that all waits share. */
export interface StreamChecks {
  /** Next offsets of the change topics; undefined while some row at or below the outbox position is not published. */
  published(position: number): Promise<PublishedOffsets | undefined>;
  /** Returns whether any record of the request is parked. */
  isParked(account: number, requestId: string): Promise<boolean>;
}

interface RequestKey {
  readonly account: number;
  readonly requestId: string;
}

export interface StreamChecksOptions {
  readonly session: Session;
  readonly flows: FlowContext;
  /** Returns those of the requests that have a parked record. */
  readonly readParked: (session: Session, requests: readonly RequestKey[]) => Promise<readonly RequestKey[]>;
}

/** The reads serve all accounts, so they run in the system's flow: an account at its limit delays no other's answer. */
export function createStreamChecks({ session, flows, readParked }: StreamChecksOptions): StreamChecks {
  const asSystem = <Result>(check: () => Promise<Result>) => flows.run(SYSTEM_FLOW, check);
  const published = createSharedRead((positions: readonly number[]) =>
    asSystem(() => readPublished(session, Math.max(...positions))),
  );
  const parked = createSharedRead((requests: readonly RequestKey[]) => asSystem(() => readParked(session, requests)));
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

interface PendingRead<Key, Seen> {
  readonly keys: Key[];
  readonly answered: PromiseWithResolvers<Seen>;
}

/**
 * Coalesces calls of the same turn of the event loop, and those made while a read is in flight, into one read: a thousand callers cost what
 * one does. A read begins after every call that it answers, so no answer is older than its question.
 */
export function createSharedRead<Key, Seen>(
  read: (keys: readonly Key[]) => Promise<Seen>,
): (key: Key) => Promise<Seen> {
  let next: PendingRead<Key, Seen> | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    const pending = next;
    next = undefined;
    if (pending === undefined) return;
    isLooking = true;
    try {
      pending.answered.resolve(await read(pending.keys));
    } catch (error) {
      pending.answered.reject(error);
    }
    isLooking = false;
    if (next !== undefined) setImmediate(() => void look());
  }

  return (key) => {
    if (next === undefined) {
      next = { keys: [], answered: Promise.withResolvers() };
      if (!isLooking) setImmediate(() => void look());
    }
    next.keys.push(key);
    return next.answered.promise;
  };
}
