/// <reference lib="esnext.temporal" />
import type { DateTest } from "../criteria.ts";
import { localDay, moveBy } from "../moment.ts";
import type { Clock } from "./clock.ts";

/**
 * The days of the year, as month × 100 + day from `first` to `last` (which wraps over New Year when `last` is smaller),
 * whose anniversary lies in the span: today and the n − 1 days after or before it. 29 February counts on the 28th of
 * years that have none. Undefined when every day does.
 */
export function anniversaryDays(
  test: Extract<DateTest, { readonly span: unknown }>,
  { reference, timezone }: Clock,
): { readonly first: number; readonly last: number } | undefined {
  const ahead = test.kind === "anniversaryInNext";
  const today = localDay(reference, timezone);
  const edge = localDay(moveBy(reference, test.span, ahead ? 1 : -1, timezone), timezone);
  const first = ahead ? today : edge.add({ days: 1 });
  const last = ahead ? edge.subtract({ days: 1 }) : today;
  if (first.until(last, { largestUnit: "days" }).days >= 365) return undefined;
  return { first: dayNumber(first), last: isShortFebruaryEnd(last) ? 229 : dayNumber(last) };
}

function dayNumber(date: Temporal.PlainDate): number {
  return date.month * 100 + date.day;
}

function isShortFebruaryEnd(date: Temporal.PlainDate): boolean {
  return date.month === 2 && date.day === 28 && !date.inLeapYear;
}
