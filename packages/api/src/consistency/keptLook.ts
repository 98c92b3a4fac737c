import { type Clock, type Logger, withTimeout } from "@headwater/kernel";

export interface KeptLookOptions<Value> {
  readonly read: () => Promise<Value>;
  /** Age up to which the last look is shown before another one is taken. */
  readonly keptMs: number;
  /** A scrape does not wait longer for a look: it shows the one before, and the next scrape the new one. */
  readonly waitMs: number;
  readonly what: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * One look at the stores for all metrics of a scrape.
 * @returns undefined when nothing can be seen: series that are missing say it, and the other metrics are still to be had.
 */
export function createKeptLook<Value>(options: KeptLookOptions<Value>): () => Promise<Value | undefined> {
  const { read, keptMs, waitMs, what, clock, logger } = options;
  let seen: Value | undefined;
  let seenAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  const look = async () => {
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
    if (clock.monotonicMs() - seenAtMs < keptMs) return seen;
    running ??= look();
    const looking = running;
    return withTimeout(() => looking, waitMs).then(
      () => seen,
      () => seen,
    );
  };
}
