/** Rate that a server asked for by 421 or 454. */
export interface SlowedRate {
  /** Messages a second at `atMs`. */
  readonly rate: number;
  readonly atMs: number;
}

/** Time in which a slowed rate doubles. */
const RECOVERY_MS = 60_000;
/** Answers within this time are about one and the same speed. */
const ONE_ASKING_MS = 10_000;
const RATE_MIN = 0.1;
/** Rate that is halved where a transport has none of its own. */
export const RATE_USUAL = 20;

/** Halves the rate, once for all answers that came together. @param usual rate without slowing. */
export function slowedBy(slowed: SlowedRate | undefined, usual: number, nowMs: number): SlowedRate {
  if (slowed !== undefined && nowMs - slowed.atMs < ONE_ASKING_MS) return slowed;
  const rate = slowedRateAt(slowed, usual, nowMs) ?? usual;
  return { rate: Math.min(usual, Math.max(RATE_MIN, rate / 2)), atMs: nowMs };
}

/** Returns the rate that is left; undefined once it is as high as without slowing. */
export function slowedRateAt(slowed: SlowedRate | undefined, usual: number, nowMs: number): number | undefined {
  if (slowed === undefined) return undefined;
  const rate = slowed.rate * 2 ** (Math.max(0, nowMs - slowed.atMs) / RECOVERY_MS);
  return rate >= usual ? undefined : rate;
}
