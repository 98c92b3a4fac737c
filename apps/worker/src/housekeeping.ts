import { type Clock, type Logger, retryForever } from "@headwater/kernel";
import { deleteJobRejections, deleteJobs, type Postgres } from "@headwater/stores";

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
const JOBS_KEPT_MS = 60 * DAY_MS;
const REJECTIONS_KEPT_MS = 7 * DAY_MS;

export interface HousekeepingOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes what has been kept long enough. */
export function createHousekeeping(options: HousekeepingOptions) {
  const { clock, logger } = options;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const clean = () => {
    running = retryForever(() => deleteOldJobs(options, clock.nowMs()), {
      signal: stopping.signal,
      minMs: 1_000,
      maxMs: 60_000,
      onRetry: ({ error }) => logger.warn({ err: error }, "old jobs cannot be deleted yet"),
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

/** Jobs that are not over are kept, however old. */
export async function deleteOldJobs({ postgres }: Pick<HousekeepingOptions, "postgres">, nowMs: number): Promise<void> {
  await deleteJobRejections(postgres, nowMs - REJECTIONS_KEPT_MS);
  await deleteJobs(postgres, nowMs - JOBS_KEPT_MS);
}
