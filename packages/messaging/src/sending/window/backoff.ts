const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses after the first attempt and each further one; the last one goes on. */
const PAUSES_MS = [1, 5, 15].map((minutes) => minutes * MINUTE_MS).concat([1, 2, 4, 8].map((hours) => hours * HOUR_MS));
const JITTER = 0.2;

/** Returns when a deferred send is due again. @param attempts made so far. @param random in [0, 1). */
export function nextAttemptMs(nowMs: number, attempts: number, random: number): number {
  const pause = PAUSES_MS[Math.min(Math.max(attempts, 1), PAUSES_MS.length) - 1] ?? HOUR_MS;
  return Math.round(nowMs + pause * (1 - JITTER + 2 * JITTER * random));
}

export interface GivingUp {
  /** First attempt, milliseconds since 1970. */
  readonly firstAt: number;
  readonly hours: number;
  /** Time of the next attempt, milliseconds since 1970. */
  readonly next: number;
}

/** Returns whether the next attempt would come too late. */
export function isAbandoned({ firstAt, hours, next }: GivingUp): boolean {
  return next - firstAt > hours * HOUR_MS;
}
