import { quantile, type Stretch } from "./tally.ts";

/** Calls that came one after another. @param ms what each took. */
export function toStretch(ms: readonly number[]): Stretch {
  const seconds = ms.reduce((sum, one) => sum + one, 0) / 1_000;
  return { events: ms.length, seconds, latenciesMs: Float32Array.from(ms) };
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
