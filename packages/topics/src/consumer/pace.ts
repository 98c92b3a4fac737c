import type { Clock } from "@headwater/kernel";

/** Interval at which small batches are handed over. The partitions of a consumer share it, so that their batches go together. */
export interface Pace {
  /** Ends at once when the interval is over, else with it; then the next one begins. */
  turn(rest: (ms: number) => Promise<void>): Promise<void>;
}

export function createPace(intervalMs: number, clock: Clock): Pace {
  let opensAtMs = Number.NEGATIVE_INFINITY;
  return {
    async turn(rest) {
      const restMs = opensAtMs - clock.monotonicMs();
      if (restMs > 0) await rest(restMs);
      const nowMs = clock.monotonicMs();
      if (nowMs >= opensAtMs) opensAtMs = nowMs + intervalMs;
    },
  };
}
