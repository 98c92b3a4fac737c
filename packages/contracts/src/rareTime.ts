import { DAY_MS, isDay, utcMs, zoneMinutes } from "./calendar.ts";

/** A day of the calendar, as `2026-01-09`, or an instant in milliseconds since 1970. */
export type RareTime =
  | { readonly kind: "day"; readonly day: string }
  | { readonly kind: "instant"; readonly milliseconds: number };

/** A date, and behind it perhaps a clock and its zone. No form is longer, so no long text is searched. */
const PARTS = /^([\dW-]{7,10})(?:[Tt ]([\d:.,]{2,18})(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;
/** Dates by month, by week and by day of the year: with dashes, and without. */
const EXTENDED_DATE =
  /^(?<year>\d{4})-(?:(?<month>\d\d)(?:-(?<day>\d\d))?|(?<ordinal>\d{3})|W(?<week>\d\d)(?:-(?<weekday>\d))?)$/;
const BASIC_DATE = /^(?<year>\d{4})(?:(?<month>\d\d)(?<day>\d\d)|(?<ordinal>\d{3})|W(?<week>\d\d)(?<weekday>\d)?)$/;
/** The last of hour, minute and second may have a fraction. */
const EXTENDED_CLOCK = /^(?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d))?)?(?:[.,](?<fraction>\d{1,9}))?$/;
const BASIC_CLOCK = /^(?<hour>\d\d)(?:(?<minute>\d\d)(?<second>\d\d)?)?(?:[.,](?<fraction>\d{1,9}))?$/;

const YEAR_0_MS = utcMs(0, 0, 1);
const YEAR_10000_MS = utcMs(10_000, 0, 1);

/**
 * Reads the forms of ISO 8601 that few write: without dashes and colons, by week or day of the year, a month or week alone, an hour alone, a
 * comma before the fraction, `24:00` and leap seconds, which are the second after them. Without a zone it is UTC.
 * Read by hand, because no library reads them all: `Temporal` has no weeks, days of the year, months alone, `24:00` or fractions of hours and
 * minutes, and reads a leap second as the one before it; Luxon has no leap seconds and no such fractions, and takes mixed forms.
 * @returns undefined when it is no date of the years 0 to 9999.
 */
export function readRareTime(text: string): RareTime | undefined {
  const [, date = "", clock, zone] = PARTS.exec(text) ?? [];
  const extended = EXTENDED_DATE.exec(date)?.groups;
  const input = extended ?? BASIC_DATE.exec(date)?.groups;
  const dayMs = input && readDate(input);
  if (input === undefined || dayMs === undefined || !isWithinYears(dayMs)) return undefined;
  if (clock === undefined) return { kind: "day", day: new Date(dayMs).toISOString().slice(0, "2026-01-09".length) };
  const written = (extended === undefined ? BASIC_CLOCK : EXTENDED_CLOCK).exec(clock)?.groups;
  const shift = zoneMinutes(zone);
  if (written === undefined || shift === undefined || !isWhole(input)) return undefined;
  return readInstant(written, dayMs - shift * 60_000);
}

type Groups = Readonly<Record<string, string | undefined>>;

/** A month or a week alone has no clock. */
function isWhole({ month, day, week, weekday }: Groups): boolean {
  if (month !== undefined) return day !== undefined;
  return week === undefined || weekday !== undefined;
}

/** @returns the midnight of the date in UTC; a month or week begins with its first day. */
function readDate({ year: years, month, day = "1", ordinal, week, weekday = "1" }: Groups): number | undefined {
  const year = Number(years);
  if (month !== undefined) {
    return isDay(year, Number(month), Number(day)) ? utcMs(year, Number(month) - 1, Number(day)) : undefined;
  }
  if (ordinal !== undefined) {
    const ms = utcMs(year, 0, Number(ordinal));
    return Number(ordinal) > 0 && ms < utcMs(year + 1, 0, 1) ? ms : undefined;
  }
  const [first, position] = [weekOne(year) + (Number(week) - 1) * 7 * DAY_MS, Number(weekday)];
  if (Number(week) === 0 || first >= weekOne(year + 1) || position < 1 || position > 7) return undefined;
  return first + (position - 1) * DAY_MS;
}

/** The Monday of the week that holds the fourth of January. */
function weekOne(year: number): number {
  const fourth = utcMs(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
}

/** @param midnightMs the instant at which the written day begins in its zone. */
function readInstant(written: Groups, midnightMs: number): RareTime | undefined {
  const [hour, minute, second] = [written.hour, written.minute ?? "0", written.second ?? "0"].map(Number);
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  const part = fractionMs(written);
  const milliseconds = midnightMs + ((hour * 60 + minute) * 60 + second) * 1_000 + Math.floor(part);
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && part === 0;
  const isClock = hour < 24 && minute < 60 && (second < 60 || isLeapSecond(second, milliseconds));
  return (isEndOfDay || isClock) && isWithinYears(milliseconds) ? { kind: "instant", milliseconds } : undefined;
}

function fractionMs({ minute, second, fraction = "0" }: Groups): number {
  const unitMs = second !== undefined ? 1_000 : minute !== undefined ? 60_000 : 3_600_000;
  return (Number(fraction) * unitMs) / 10 ** fraction.length;
}

/** Leap seconds end a month of UTC. */
function isLeapSecond(second: number, milliseconds: number): boolean {
  const next = new Date(milliseconds).toISOString();
  return second === 60 && next.includes("-01T00:00:00.");
}

function isWithinYears(milliseconds: number): boolean {
  return milliseconds >= YEAR_0_MS && milliseconds < YEAR_10000_MS;
}
