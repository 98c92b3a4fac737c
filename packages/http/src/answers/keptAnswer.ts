import { type Clock, withTimeout } from "@headwater/kernel";

export interface StoredOptions<Value> {
  readonly read: () => Promise<Value>;
  /** Time for which an answer, a failure too, is given before it is read again. */
  readonly keptMs: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Reads once for all that ask in a while: what anybody may ask costs those behind it one question at a time. */
export function keepFor<Value>({
  read,
  keptMs: cachedMs,
  timeoutMs,
  clock,
}: StoredOptions<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  let resolvedAtMs: number | undefined;
  return () => {
    const isOver = resolvedAtMs !== undefined && clock.monotonicMs() - resolvedAtMs >= cachedMs;
    if (reading !== undefined && !isOver) return reading;
    resolvedAtMs = undefined;
    reading = withTimeout(read, timeoutMs).finally(() => {
      resolvedAtMs = clock.monotonicMs();
    });
    return reading;
  };
}
