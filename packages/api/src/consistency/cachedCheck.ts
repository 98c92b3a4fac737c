import { type Clock, type Logger, withTimeout } from "@headwater/kernel";

export interface CachedCheckOptions<Value> {
  readonly read: () => Promise<Value>;
  /** Age up to which the last look is shown before another one is taken. */
  readonly keptMs: number;
  /** A scrape does not wait longer for a check: it shows the one before, and the next scrape the new one. */
  readonly waitMs: number;
  readonly what: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * One read of the stores for all metrics of a scrape.
 * @returns undefined when nothing can be seen: series that are missing say it, and the other metrics are still to be had.
 */
export function createCachedCheck<Value>(options: CachedCheckOptions<Value>): () => Promise<Value | undefined> {
  const { read, keptMs: cachedMs, waitMs, what, clock, logger } = options;
  let seen: Value | undefined;
  let seenAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  const check = async () => {
    try {
      seen = await read();
    } catch (error) {
      logger.warn({ err: error }, `${what} unavailable, retrying`);
      seen = undefined;
    }
    seenAtMs = clock.monotonicMs();
    running = undefined;
  };
  return async () => {
    if (clock.monotonicMs() - seenAtMs < cachedMs) return seen;
    running ??= check();
    const looking = running;
    return withTimeout(() => looking, waitMs).then(
      () => seen,
      () => seen,
    );
  };
}
