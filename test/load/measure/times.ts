import { quantile, type Stretch } from "./tally.ts";

/** Calls that came one after another. @param ms what each took. */
export function toStretch(ms: readonly number[]): Stretch {
  const seconds = ms.reduce((sum, one) => sum + one, 0) / 1_000;
  return { events: ms.length, seconds, latenciesMs: Float32Array.from(ms) };
}

/** Quantile of values in any order. @param part from 0 to 1. */
export function quantileOf(values: readonly number[], part: number): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    part,
  );
}

export function median(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}
