/// <reference lib="esnext.temporal" />
import { parseTime, toPlainTime } from "@headwater/contracts";
import type { Moment, Span } from "./criteria.ts";

/** The first and the last instant that a count is taken at, well inside of what the stores keep. */
const EARLIEST = Date.UTC(1900, 0, 2);
const LATEST = Date.UTC(2299, 11, 30);
/** The first instant that ClickHouse reads: its calendar has no year 0. */
export const FIRST_MS = Date.parse("0001-01-01T00:00:00.000Z");

/** Reads an ISO 8601 date or timestamp of the years 1 to 9999; a timestamp without a zone is UTC. Undefined when it is none. */
export function readMoment(text: string): Moment | undefined {
  const milliseconds = parseTime(text);
  if (milliseconds === undefined || milliseconds < FIRST_MS) return undefined;
  const date = toPlainTime(text);
  return date?.length === DATE_LENGTH ? { kind: "date", date } : { kind: "instant", milliseconds };
}

const DATE_LENGTH = "2026-01-31".length;

/** UTC milliseconds of an instant; a date alone is its midnight in the zone. */
export function instantOf(instant: Moment, timezone: string): number {
  if (instant.kind === "instant") return instant.milliseconds;
  const milliseconds = parseTime(instant.date, timezone);
  if (milliseconds === undefined) throw new Error(`${instant.date} is no date`);
  return milliseconds;
}

/**
 * Reads an ISO 8601 date or timestamp of any year: UTC milliseconds, a date alone is its midnight in the zone. What lies beyond the instants
 * that a count is taken at is the nearest of these, so that a caller tells too early and too late from what is no date. Undefined for the latter.
 */
export function readInstant(text: string, timezone: string): number | undefined {
  const milliseconds = parseTime(text, timezone);
  return milliseconds === undefined ? undefined : Math.min(LATEST, Math.max(EARLIEST, milliseconds));
}

/** A value to order instants by before the zone is known. */
export function earliestOf(timestamp: Moment): number {
  return instantOf(timestamp, "UTC");
}

/** The day that holds the instant in the zone: from its first millisecond to that of the next day, excluded. */
export function dayOf(milliseconds: number, timezone: string): { readonly from: number; readonly to: number } {
  const day = localDay(milliseconds, timezone);
  const start = (date: Temporal.PlainDate) => date.toZonedDateTime(timezone).epochMilliseconds;
  return { from: start(day), to: start(day.add({ days: 1 })) };
}

export function localDay(milliseconds: number, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timezone).toPlainDate();
}

const EXACT = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

/**
 * The first day, as `2026-01-31`, whose midnight in the zone is not before the instant; or one some days after it. A day that four digits do
 * not write sorts, as text, before or behind all that they do.
 */
export function firstDayFrom(milliseconds: number, timezone: string, daysAfter = 0): string {
  let day = localDay(milliseconds, timezone);
  // Where clocks jump at midnight, the next day may begin before the instant too.
  for (let steps = 0; steps < 2 && midnightOf(day, timezone) < milliseconds; steps++) day = day.add({ days: 1 });
  day = day.add({ days: daysAfter });
  return day.year > LAST_WRITTEN_YEAR ? BEHIND_ALL_DAYS : day.toString();
}

const LAST_WRITTEN_YEAR = 9999;
const BEHIND_ALL_DAYS = "9999-12-32";

function midnightOf(day: Temporal.PlainDate, timezone: string): number {
  if (day.year > LAST_WRITTEN_YEAR) return Number.POSITIVE_INFINITY;
  return day.year < 1 ? Number.NEGATIVE_INFINITY : instantOf({ kind: "date", date: day.toString() }, timezone);
}

/** Moves by a span: minutes to weeks are exact lengths, months and years go by the calendar of the zone. */
export function moveBy(milliseconds: number, span: Span, direction: 1 | -1, timezone: string): number {
  const { n, unit } = span;
  if (unit !== "month" && unit !== "year") return milliseconds + direction * n * EXACT[unit];
  const amount = unit === "month" ? { months: direction * n } : { years: direction * n };
  const local = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timezone);
  return local.add(amount, { overflow: "constrain" }).epochMilliseconds;
}

/** Length of a span in years, for its bound; a month is a twelfth. */
export function spanYears({ n, unit }: Span): number {
  if (unit === "year") return n;
  if (unit === "month") return n / 12;
  return (n * EXACT[unit]) / (365.25 * EXACT.day);
}

/** Mean days of a month, and how many days some months in a row may differ from it; clocks change within these. */
const MONTH_DAYS = 365.2425 / 12;
const MONTH_DAYS_OFF = 3;

/** Returns whether a span can be longer than another one at any instant: a month may have 28 days, or 31. */
export function canBeLongerSpan(span: Span, other: Span): boolean {
  const [months, otherMonths] = [monthsOf(span), monthsOf(other)];
  if (months !== undefined && otherMonths !== undefined) return months > otherMonths;
  return daysOf(span, MONTH_DAYS_OFF) > daysOf(other, -MONTH_DAYS_OFF);
}

function monthsOf({ n, unit }: Span): number | undefined {
  if (unit === "month") return n;
  return unit === "year" ? 12 * n : undefined;
}

/** Days of a span; of months and years so many more. */
function daysOf(span: Span, off: number): number {
  const { n, unit } = span;
  if (unit === "month" || unit === "year") return n === 0 ? 0 : (monthsOf(span) ?? 0) * MONTH_DAYS + off;
  return (n * EXACT[unit]) / EXACT.day;
}
