import type { ExperimentType } from "@headwater/contracts";

const MINUTE_MS = 60_000;

/** Time for which weights of a bandit are in force, and after which a send counts: what its contact does needs time. */
export const WEIGHTS_RENEWED_AFTER_MS = 15 * MINUTE_MS;

/** A champion's test of automated sends begins with the first of them, which is searched for as often. */
export const FIRST_SEND_CHECK_EVERY_MS = MINUTE_MS;

const FIRST_CHECK_AFTER_MS = {
  split: undefined,
  "split-with-champion": FIRST_SEND_CHECK_EVERY_MS,
  bandit: WEIGHTS_RENEWED_AFTER_MS,
} as const;

/** Returns the time from the begin of an experiment of automated sends to the first check of it; undefined where there is nothing to learn. */
export function firstCheckAfterMs(type: ExperimentType): number | undefined {
  return FIRST_CHECK_AFTER_MS[type];
}

/** Returns the length of a champion's test. */
export function testLengthMs({ decideAfterMinutes = 0 }: { readonly decideAfterMinutes?: number | undefined }): number {
  return decideAfterMinutes * MINUTE_MS;
}
