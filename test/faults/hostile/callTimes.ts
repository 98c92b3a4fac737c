/** Times of many calls, in milliseconds. */
export interface CallTimes {
  readonly calls: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export function toCallTimes(times: readonly number[]): CallTimes {
  const sorted = times.toSorted((a, b) => a - b);
  const below = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { calls: sorted.length, p50Ms: below(0.5), p99Ms: below(0.99), maxMs: below(1) };
}
