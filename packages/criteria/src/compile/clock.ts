import type { DateTest, Window } from "../criteria.ts";
import { dayOf, instantOf, moveBy } from "../moment.ts";
import type { Binder } from "./binder.ts";

/** A count without `asOf` takes what a source with a clock this far ahead of ours has sent. */
export const CLOCK_SKEW_MS = 5_000;

/** The "now" of all windows of one count. */
export interface Clock {
  /** UTC milliseconds that spans are counted from. */
  readonly reference: number;
  /** End, excluded, of spans that reach up to now. */
  readonly end: number;
  readonly timezone: string;
  /** Activities count only when their own time is before this; unset for the present. */
  readonly seen?: number;
  /** The same for orders, which only the basis "event" bounds by their own time. */
  readonly seenOrders?: number;
}

/** Bounds in UTC milliseconds; each may be left out. */
export interface Range {
  readonly from?: number;
  /** Excluded, as `after` is. */
  readonly to?: number;
  readonly after?: number;
  /** Included, as `from` is. */
  readonly upTo?: number;
}

/** The instants that a window holds. */
export function windowRange(window: Window, { reference, end, timezone }: Clock): Range {
  switch (window.kind) {
    case "last":
      return { from: moveBy(reference, window.span, -1, timezone), to: end };
    case "next":
      return { from: reference, to: moveBy(reference, window.span, 1, timezone) };
    case "between":
      return betweenRange(window, { reference, end, timezone });
    case "range":
      return {
        ...(window.from && { from: instantOf(window.from, timezone) }),
        ...(window.to && { to: instantOf(window.to, timezone) }),
      };
  }
}

/** The instants between two points. A month may be shorter than 30 days or longer, so which one is the older is seen only here. */
function betweenRange(
  { older, newer }: Extract<Window, { kind: "between" }>,
  { reference, end, timezone }: Clock,
): Range {
  const first = moveBy(reference, older, -1, timezone);
  if (newer.n === 0) return { from: first, to: end };
  const second = moveBy(reference, newer, -1, timezone);
  return { from: Math.min(first, second), to: Math.max(first, second) };
}

/** The instants for which a date test holds; anniversaries are no range and left to `anniversarySql`. */
export function dateRange(test: DateTest, clock: Clock): Range | undefined {
  const { reference, end, timezone } = clock;
  switch (test.kind) {
    case "day":
      return dayOf(test.moment === "today" ? reference : instantOf(test.moment, timezone), timezone);
    case "before":
      return { to: instantOf(test.moment, timezone) };
    case "after":
      return { after: instantOf(test.moment, timezone) };
    case "momentsBetween":
      return { from: instantOf(test.low, timezone), upTo: instantOf(test.high, timezone) };
    case "inLast":
      return { from: moveBy(reference, test.span, -1, timezone), to: end };
    case "inNext":
      return { from: reference, to: moveBy(reference, test.span, 1, timezone) };
    case "anniversaryInNext":
    case "anniversaryInLast":
      return undefined;
  }
}

/** SQL that a DateTime64 expression lies in a range; "1" for a range without bounds. */
export function rangeSql(expression: string, range: Range, bind: Binder): string {
  const bounds = [
    range.from === undefined ? undefined : `${expression} >= ${bind.instant(range.from)}`,
    range.after === undefined ? undefined : `${expression} > ${bind.instant(range.after)}`,
    range.to === undefined ? undefined : `${expression} < ${bind.instant(range.to)}`,
    range.upTo === undefined ? undefined : `${expression} <= ${bind.instant(range.upTo)}`,
  ].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? "1" : bounds.join(" AND ");
}
