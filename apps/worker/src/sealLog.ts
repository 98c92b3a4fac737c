import { NO_KEY, type SealKey } from "@headwater/api/accountLog/seal";
import { deleteOldSeals, sealEntries } from "@headwater/api/accountLog/seals";
import { type Clock, createWorkLoop, type Logger, type WorkLoop } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";

export interface LogSealingOptions {
  readonly postgres: Postgres;
  /** The first one seals; without any, seals find accidents alone. */
  readonly keys: readonly SealKey[];
  readonly clock: Clock;
  readonly logger: Logger;
}

const EVERY_MS = 60_000;

/**
 * Seals the account log every minute. The process log names each seal after its commit, so that an end that was cut off in the database can be
 * found: `headwater audit verify --expect number:mac`.
 */
export function createLogSealing({ postgres, keys, clock, logger }: LogSealingOptions): WorkLoop {
  const [key = NO_KEY] = keys;
  let isWarned = false;
  return createWorkLoop({
    work: async () => {
      if (key === NO_KEY && !isWarned) {
        logger.warn("HEADWATER_SETTINGS_KEY_FILE is not set: seals of the account log find accidents, and no forgery");
        isWarned = true;
      }
      const made = await postgres.transaction((transaction) => sealEntries(transaction, key, clock.nowMs()));
      if (made !== undefined)
        logger.info({ seal: made.number, mac: made.mac, entries: made.entries }, "sealed the account log");
      if (made === undefined || !made.hasMore) await deleteOldSeals(postgres);
      return made?.hasMore === true;
    },
    idleMs: EVERY_MS,
    minMs: 1_000,
    maxMs: 60_000,
    isRetriable: () => true,
    onRetry: ({ error }) => logger.warn({ err: error }, "sealing the account log failed, retrying"),
  });
}
