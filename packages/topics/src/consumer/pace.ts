import type { Clock } from "@headwater/kernel";

/** Interval at which small batches are handed over. The partitions of a consumer share it, so that their batches go together. */
export interface Pace {
  /** Ends at once when the interval is over, else with it; then the next one begins. */
  turn(rest: (ms: number) => Promise<void>): Promise<void>;
  /** Reports how long a batch that was dealt with took: later intervals are measured by it. */
  took(ms: number): void;
}

export interface PaceOptions {
  /** The longest interval. */
  readonly intervalMs: number;
  /** An interval is so many times as long as the batch before it took, and 50 ms at least; without it all are the longest. */
  readonly timesBatch?: number | undefined;
  readonly clock: Clock;
}

/** Each turn costs a commit whatever it carries. */
const SHORTEST_MS = 50;

/** Creates a pace whose first turn comes at once. */
export function createPace({ intervalMs, timesBatch, clock }: PaceOptions): Pace {
  let opensAtMs = Number.NEGATIVE_INFINITY;
  let nextMs = intervalMs;
  return {
    async turn(rest) {
      const restMs = opensAtMs - clock.monotonicMs();
      if (restMs > 0) await rest(restMs);
      const nowMs = clock.monotonicMs();
      if (nowMs >= opensAtMs) opensAtMs = nowMs + nextMs;
    },
    took(ms) {
      if (timesBatch !== undefined) nextMs = Math.min(intervalMs, Math.max(SHORTEST_MS, timesBatch * ms));
    },
  };
}
