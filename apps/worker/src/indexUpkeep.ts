import { type Logger, retryForever } from "@headwater/kernel";
import { stepSupplementIndexes } from "@headwater/state";
import type { Postgres } from "@headwater/stores";

/** How soon work on an index begins. */
const LOOK_EVERY_MS = 1_000;

export interface IndexUpkeepOptions {
  readonly postgres: Postgres;
  readonly logger: Logger;
}

/** Builds indexes of supplement tables and removes the entries of those that are gone, step by step; any number of workers share it. */
export function createIndexUpkeep({ postgres, logger }: IndexUpkeepOptions) {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const isBusy = await retryForever(() => stepSupplementIndexes(postgres), {
        signal: stopping.signal,
        minMs: 100,
        maxMs: 5_000,
        onRetry: ({ error }) => logger.warn({ err: error }, "an index of a supplement cannot be worked on yet"),
      });
      if (!isBusy) await pause(stopping.signal);
    }
  };
  return {
    start() {
      running = loop().catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error;
      });
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Ends early when the signal fires. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, LOOK_EVERY_MS);
    signal.addEventListener("abort", end, { once: true });
  });
}
