import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "@headwater/kernel";

/**
 * Creates a wait for the end of the interval that the first fetch in it began. kafkajs fetches again when all batches of a fetch have ended,
 * and a fetch costs the broker and us about as much whatever it holds: without an interval a steady trickle is fetched record by record.
 * What comes after a quiet time is handed over at once.
 */
export function createFetchInterval(
  intervalMs: number,
  clock: Pick<Clock, "monotonicMs">,
  rest: (ms: number) => Promise<unknown> = sleep,
): () => Promise<void> {
  let endsAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock.monotonicMs();
    if (nowMs >= endsAtMs) endsAtMs = nowMs + intervalMs;
    if (endsAtMs > nowMs) await rest(endsAtMs - nowMs);
  };
}
