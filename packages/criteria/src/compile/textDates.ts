import { firstDayFrom } from "../moment.ts";
import type { Binder } from "./binder.ts";
import { type Range, rangeSql } from "./clock.ts";

/** Days of the calendar and the timestamps that `parsePlainTime` reads, as RE2 takes them: written so, nothing else needs a check. */
const LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
const DAY_OF_MONTH =
  "(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)";
const DAY = `(?:[0-9]{4}-${DAY_OF_MONTH}|${LEAP_YEAR}-02-29)`;
const TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,9})?)?";
const ZONE = "(?:[Zz]|[+-](?:0[0-9]|1[0-8])(?::?[0-5][0-9])?)?";
export const ISO_DAY = `^${DAY}$`;
export const ISO_TIMESTAMP = `^${DAY}[T ]${TIME}${ZONE}$`;
const DAY_LENGTH = 10;

/** A date alone is midnight in the zone, a timestamp without a zone is UTC; what is no date is NULL. */
export function dateSql(text: string, timezone: string, bind: Pick<Binder, "string">): string {
  const midnight = `toTimezone(parseDateTime64BestEffortOrNull(${text}, 3, ${bind.string(timezone)}), 'UTC')`;
  return `multiIf(match(${text}, ${bind.string(ISO_DAY)}), ${midnight}, match(${text}, ${bind.string(ISO_TIMESTAMP)}), ${instantSql(text)}, NULL)`;
}

/** A timestamp's own zone and that of the count may each put its written day off by one. */
const DAYS_OFF_MAX = 3;

/**
 * Compiles whether the date of a text lies in the range. Days are compared as text with the first days from the range's ends, and only
 * those near it are checked: ClickHouse evaluates the later conditions of AND, OR and `if` for the rows that need them.
 */
export function textDateInSql(
  text: string,
  range: Range,
  { timezone, bind }: { readonly timezone: string; readonly bind: Binder },
): string {
  const isNear = dayBounds(range, timezone, DAYS_OFF_MAX).map(
    (bound) => `${text} ${bound.op} ${bind.string(bound.day)}`,
  );
  const isIn = dayBounds(range, timezone, 0).map((bound) => `${text} ${bound.op} ${bind.string(bound.day)}`);
  const inDays = [...isIn, isDaySql(text, bind)].join(" AND ");
  const inTime = `match(${text}, ${bind.string(ISO_TIMESTAMP)}) AND ${rangeSql(instantSql(text), range, bind)}`;
  return [...isNear, `if(length(${text}) = ${DAY_LENGTH}, ${inDays}, ${inTime})`].join(" AND ");
}

interface DayBound {
  readonly op: ">=" | "<";
  readonly day: string;
}

/** The range's ends as days, moved apart by some. */
function dayBounds({ from, after, to, upTo }: Range, timezone: string, daysApart: number): readonly DayBound[] {
  const first = [from, after === undefined ? undefined : after + 1].filter((end) => end !== undefined);
  const end = [to, upTo === undefined ? undefined : upTo + 1].filter((end) => end !== undefined);
  return [
    ...first.map((ms) => ({ op: ">=" as const, day: firstDayFrom(ms, timezone, -daysApart) })),
    ...end.map((ms) => ({ op: "<" as const, day: firstDayFrom(ms, timezone, daysApart) })),
  ];
}

/** A day that reads back as it was written is one of the calendar; of days outside of 1900 to 2299, which do not, the text is checked. */
function isDaySql(text: string, bind: Binder): string {
  return `(toString(toDate32OrNull(${text})) = ${text} OR match(${text}, ${bind.string(ISO_DAY)}))`;
}

/** Reads a text that is a timestamp; the server knows `Z` in capitals only. */
function instantSql(text: string): string {
  return `parseDateTime64BestEffortOrNull(upper(${text}), 3, 'UTC')`;
}
