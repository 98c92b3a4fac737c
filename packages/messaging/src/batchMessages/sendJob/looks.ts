import { z } from "zod";

/** Counts of sends under way as last checked, and since when they are these. */
export const checkedShape = z.object({ counts: z.array(z.number()), since: z.number() });
export type Checked = z.output<typeof checkedShape>;

const SECONDS_MIN = 1;
const SECONDS_MAX = 10;
/** Share of the time without an event that passes before the next check. */
const QUIET_PART = 0.1;
const SECOND_MS = 1_000;

/** @param before the look before this one. */
export function checked(counts: readonly number[], nowMs: number, before: Checked | undefined): Checked {
  const isSame = before?.counts.length === counts.length && counts.every((count, at) => before.counts[at] === count);
  return { counts: [...counts], since: isSame ? before.since : nowMs };
}

/** Sends may wait for a day: what has been quiet for long is checked seldom, every 10 s at least. */
export function secondsToNextCheck({ since }: Checked, nowMs: number): number {
  const quietSeconds = Math.max(0, nowMs - since) / SECOND_MS;
  return Math.min(SECONDS_MAX, Math.max(SECONDS_MIN, Math.floor(quietSeconds * QUIET_PART)));
}
