import { type Clock, type Logger, retryForever } from "@headwater/kernel";
import { deleteAppliedRecords, type Postgres } from "@headwater/stores";

const EVERY_MS = 10 * 60_000;
/** Ids of keyed records are kept as long as an Idempotency-Key of intake is. */
const APPLIED_RECORDS_KEPT_MS = 72 * 3_600_000;

export interface HousekeepingOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes what has been kept long enough. */
export function createHousekeeping({ postgres, clock, logger }: HousekeepingOptions) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const clean = () => {
    running = retryForever(() => deleteAppliedRecords(postgres, clock.nowMs() - APPLIED_RECORDS_KEPT_MS), {
      signal: stopping.signal,
      minMs: 1_000,
      maxMs: 60_000,
      onRetry: ({ error }) => logger.warn({ err: error }, "old rows cannot be deleted yet"),
    }).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
  };
  return {
    start() {
      clean();
      timer = setInterval(clean, EVERY_MS);
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
