import { type Clock, withTimeout } from "@headwater/kernel";

export interface KeptOptions<Value> {
  readonly read: () => Promise<Value>;
  /** Time for which an answer, a failure too, is given before it is read again. */
  readonly keptMs: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Reads once for all that ask in a while: what anybody may ask costs those behind it one question at a time. */
export function keepFor<Value>({ read, keptMs, timeoutMs, clock }: KeptOptions<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  let settledAtMs: number | undefined;
  return () => {
    const isOver = settledAtMs !== undefined && clock.monotonicMs() - settledAtMs >= keptMs;
    if (reading !== undefined && !isOver) return reading;
    settledAtMs = undefined;
    reading = withTimeout(read, timeoutMs).finally(() => {
      settledAtMs = clock.monotonicMs();
    });
    return reading;
  };
}
