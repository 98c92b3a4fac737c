import { createWorkLoop, type Logger, type WorkLoop } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { stepSupplementIndexes } from "@headwater/records/writes/supplementIndexes";

/** Time until work on an index begins, at most. */
const LOOK_EVERY_MS = 1_000;

export interface IndexUpkeepOptions {
  readonly postgres: Postgres;
  readonly logger: Logger;
}

/** Builds indexes of supplement tables and removes the entries of those that are gone, step by step; any number of workers share it. */
export function createIndexUpkeep({ postgres, logger }: IndexUpkeepOptions): WorkLoop {
  return createWorkLoop({
    work: () => stepSupplementIndexes(postgres),
    idleMs: LOOK_EVERY_MS,
    minMs: 100,
    maxMs: 5_000,
    onRetry: ({ error }) => logger.warn({ err: error }, "supplement index maintenance failed, retrying"),
  });
}
