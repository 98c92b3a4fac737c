import { DAY_MS, isDay, utcMs, zoneMinutes } from "./calendar.ts";
import { readRareTime } from "./rareTime.ts";

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Reads an ISO 8601 date or timestamp. Without a zone it is UTC; a date alone is its midnight in `timezone`.
 * @returns milliseconds since 1970, or undefined when it is no date.
 */
export function parseTime(text: string, timezone = "UTC"): number | undefined {
  return parsePlainTime(text, timezone) ?? parseRareTime(text, timezone);
}

function parseRareTime(text: string, timezone: string): number | undefined {
  const read = readRareTime(text);
  if (read === undefined) return undefined;
  return read.kind === "day" ? midnight(read.day, timezone) : read.milliseconds;
}

/**
 * Returns a date or timestamp of ISO 8601 in the form that `parsePlainTime` and criteria read where it is stored: itself in almost all cases.
 * @returns undefined when it is no date.
 */
export function toPlainTime(text: string): string | undefined {
  if (parsePlainTime(text) !== undefined) return text;
  const read = readRareTime(text);
  if (read === undefined) return undefined;
  return read.kind === "day" ? read.day : toTimestamp(read.milliseconds);
}

/** Reads as `parseTime` does, but only the usual forms: those that criteria know in stored values. */
export function parsePlainTime(text: string, timezone = "UTC"): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (hour === undefined) return midnight(`${year}-${month}-${day}`, timezone);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined;
  const millis = fraction === undefined ? 0 : Number(fraction.padEnd(3, "0").slice(0, 3));
  const midnightMs = utcMs(Number(year), Number(month) - 1, Number(day));
  const base = midnightMs + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second ?? 0)) * 1000 + millis;
  const shift = zoneMinutes(zone);
  return shift === undefined ? undefined : base - shift * 60_000;
}

function midnight(date: string, timezone: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  if (timezone === "UTC") return utc;
  const first = utc - offsetMs(utc, timezone);
  return utc - offsetMs(first, timezone);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns how far the zone's clock is ahead of UTC at that instant. */
function offsetMs(instant: number, timezone: string): number {
  let format = formats.get(timezone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(timezone, format);
  }
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  const clock = utcMs(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
  return clock - Math.floor(instant / 1000) * 1000;
}

const YEAR_10000_MS = 253_402_300_800_000;

/**
 * RFC 3339, UTC, milliseconds: `2026-01-09T22:47:12.000Z`. By hand, for a page has thousands and `Date` takes three times as long; of few
 * pieces, for each is copied once more when the text is written out.
 */
export function toTimestamp(ms: number): string {
  if (!Number.isInteger(ms) || ms < 0 || ms >= YEAR_10000_MS) return new Date(ms).toISOString();
  const days = Math.floor(ms / DAY_MS);
  const date = dateOf(days);
  const ofDay = ms - days * DAY_MS;
  const minutes = Math.floor(ofDay / 60_000);
  const [hour, minute, second] = [Math.floor(minutes / 60), minutes % 60, Math.floor(ofDay / 1_000) % 60];
  return dateText(date) + clockText((hour * 100 + minute) * 100 + second, ofDay % 1_000);
}

/** @param date as 20260109. @returns `2026-01-09T`. */
function dateText(date: number): string {
  const [millennium, century] = [digit(date, 10_000_000), digit(date, 1_000_000)];
  const [decade, year] = [digit(date, 100_000), digit(date, 10_000)];
  const [m, month, d, day] = [digit(date, 1_000), digit(date, 100), digit(date, 10), digit(date, 1)];
  return String.fromCharCode(millennium, century, decade, year, DASH, m, month, DASH, d, day, T);
}

/** @param clock as 224712. @returns `22:47:12.000Z`. */
function clockText(clock: number, millis: number): string {
  const [h, hour, m, minute] = [digit(clock, 100_000), digit(clock, 10_000), digit(clock, 1_000), digit(clock, 100)];
  const [s, second] = [digit(clock, 10), digit(clock, 1)];
  const [tenth, hundredth, last] = [digit(millis, 100), digit(millis, 10), digit(millis, 1)];
  return String.fromCharCode(h, hour, COLON, m, minute, COLON, s, second, POINT, tenth, hundredth, last, Z);
}

/** Codes of the characters between the digits. */
const [DASH, POINT, ZERO, COLON, T, Z] = [45, 46, 48, 58, 84, 90] as const;

/** The code of a number's digit at a power of ten. */
function digit(number: number, power: number): number {
  return ZERO + (Math.floor(number / power) % 10);
}

/** Days of 400, 100, 4 years and one; years begin with March here, so that a leap day is the last one. */
const [ERA, CENTURY, OLYMPIAD, YEAR] = [146_097, 36_524, 1_460, 365] as const;
/** Days from 0000-03-01 to 1970-01-01. */
const DAYS_BEFORE_1970 = 719_468;

/** @param days since 1970, none below 0. @returns the date as a number: 20260109. */
function dateOf(days: number): number {
  const since = days + DAYS_BEFORE_1970;
  const era = Math.floor(since / ERA);
  const ofEra = since - era * ERA;
  const leapDays = Math.floor(ofEra / OLYMPIAD) - Math.floor(ofEra / CENTURY) + Math.floor(ofEra / (ERA - 1));
  const yearOfEra = Math.floor((ofEra - leapDays) / YEAR);
  const ofYear = ofEra - (yearOfEra * YEAR + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const month = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * month + 2) / 5) + 1;
  const year = era * 400 + yearOfEra + (month < 10 ? 0 : 1);
  return year * 10_000 + (month < 10 ? month + 3 : month - 9) * 100 + day;
}
