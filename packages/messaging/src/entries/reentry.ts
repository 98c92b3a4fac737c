import { z } from "zod";
import { addDuration, duration } from "../schedule/durations.ts";

/** Rule for a contact that has entered before. */
export const reentryShape = z.union([z.enum(["once", "after-exit", "always"]), z.strictObject({ after: duration })]);
export type Reentry = z.output<typeof reentryShape>;

export interface PastEntry {
  /** Last entry, milliseconds since 1970; undefined where there is none. */
  readonly enteredAt: number | undefined;
  /** True while that which began with it has not ended. */
  readonly isLive: boolean;
}

/**
 * Returns whether a contact may enter again, under the same key.
 * @param at milliseconds since 1970. @param timezone zone of the account: months go by its calendar.
 */
export function mayEnterAgain(
  reentry: Reentry,
  { enteredAt, isLive }: PastEntry,
  { at, timezone }: { readonly at: number; readonly timezone: string },
): boolean {
  if (reentry === "always") return true;
  if (isLive) return false;
  if (reentry === "after-exit" || enteredAt === undefined) return true;
  return reentry !== "once" && at >= addDuration(enteredAt, reentry.after, timezone);
}
