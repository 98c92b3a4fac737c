import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import { createWorkLoop, type WorkLoop } from "./workLoop.ts";

const EVERY_MS = 10 * 60_000;
const RETRY_MS = { minMs: 1_000, maxMs: 60_000 } as const;

export interface HousekeepingOptions {
  /** Name of what is deleted, for the log: "old rows". */
  readonly what: string;
  /** Deletes what has been kept long enough at that time. */
  readonly deleteOld: (nowMs: number) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The part of a process that deletes what has been kept long enough: at its start, and every ten minutes. */
export function createHousekeeping({ what, deleteOld, clock, logger }: HousekeepingOptions): WorkLoop {
  return createWorkLoop({
    work: async () => {
      await deleteOld(clock.nowMs());
      return false;
    },
    idleMs: EVERY_MS,
    ...RETRY_MS,
    // A store that is refused for now is no reason to end a process that goes on without it.
    isRetriable: () => true,
    onRetry: ({ error }) => logger.warn({ err: error }, `deleting ${what} failed, retrying`),
  });
}
