/// <reference lib="esnext.temporal" />
import { z } from "zod";

/** The counts of each unit that are ten years. */
const N_MAX = { minute: 5_256_000, hour: 87_600, day: 3_650, week: 521, month: 120 } as const;
export const UNITS = ["minute", "hour", "day", "week", "month"] as const;

export interface Duration {
  readonly n: number;
  readonly unit: (typeof UNITS)[number];
}

/** Returns whether a duration, or an offset into the past, is bounded as durations are. */
export function isWithinTenYears({ n, unit }: Duration): boolean {
  return Math.abs(n) <= N_MAX[unit];
}

export const TOO_LONG = { message: "must be at most 10 years", path: ["n"], params: { code: "out_of_range" } };

export const duration = z
  .strictObject({ n: z.int().min(1), unit: z.enum(UNITS) })
  .refine(isWithinTenYears, TOO_LONG)
  .meta({
    id: "OrchestrationDuration",
    description: "From a minute to 10 years. A day has 24 hours; months go by the calendar of the account's zone.",
    examples: [{ n: 3, unit: "day" }],
  });

const EXACT_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

/**
 * Returns the instant a duration after another one, or before it where `n` is negative. Days are 24 hours; months go by the calendar of the
 * zone, and keep to its last day: a month after 31 January is 28 February.
 */
export function addDuration(atMs: number, { n, unit }: Duration, timezone: string): number {
  if (unit !== "month") return atMs + n * EXACT_MS[unit];
  const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone).toPlainDateTime();
  return instantOf(local.add({ months: n }), timezone);
}

/** Returns the first instant at which clocks of the zone show a time; where they skip it, the one at which they do. */
function instantOf(local: Temporal.PlainDateTime, timezone: string): number {
  const earlier = local.toZonedDateTime(timezone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  return (earlier.getTimeZoneTransition("next") ?? earlier).epochMilliseconds;
}
