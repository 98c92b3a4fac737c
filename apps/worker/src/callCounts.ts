import { moveCallCounts } from "@headwater/api/accountLog/callCounts";
import { type Clock, createWorkLoop, type Logger, type WorkLoop } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";

export interface CallCountsOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly logger: Logger;
}

const MINUTE_MS = 60_000;
/** Every process writes the counts of a minute when it is over; by then they have, and what comes later gets an entry of its own. */
const SETTLED_MS = 15_000;
const LOOK_EVERY_MS = 10_000;
const RETRY_MS = { minMs: 1_000, maxMs: 60_000 } as const;

/** The part of the worker that makes entries in account logs of the calls that were counted. */
export function createCallCountMover({ postgres, clock, logger }: CallCountsOptions): WorkLoop {
  return createWorkLoop({
    work: () => moveCallCounts(postgres, Math.floor((clock.nowMs() - SETTLED_MS) / MINUTE_MS)),
    idleMs: LOOK_EVERY_MS,
    ...RETRY_MS,
    onRetry: ({ error }) => logger.warn({ err: error }, "moving the counts of calls failed, retrying"),
  });
}
