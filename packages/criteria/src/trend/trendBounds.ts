/// <reference lib="esnext.temporal" />

export const TREND_GRAINS = ["hour", "day", "week", "month"] as const;
export type TrendGrain = (typeof TREND_GRAINS)[number];

export interface TrendFrame {
  /** UTC milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly grain: TrendGrain;
  /** IANA name. */
  readonly timezone: string;
}

/**
 * Answers the instants of a trend, in UTC milliseconds: its start, the begin of every grain in between by the zone's clock, and its end.
 * Undefined when there are more than `most` after the start.
 */
export function trendBounds({ from, to, grain, timezone }: TrendFrame, most: number): number[] | undefined {
  const bounds = [from];
  let begin = beginOf(Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone), grain);
  for (let guard = 0; begin.epochMilliseconds < to; guard += 1) {
    const last = bounds.at(-1) ?? from;
    if (begin.epochMilliseconds > last) bounds.push(begin.epochMilliseconds);
    if (bounds.length > most || guard > 2 * most + 2) return undefined;
    begin = nextOf(begin, grain);
  }
  return [...bounds, to];
}

function beginOf(instant: Temporal.ZonedDateTime, grain: TrendGrain): Temporal.ZonedDateTime {
  const midnight = instant.startOfDay();
  switch (grain) {
    case "hour":
      return instant.round({ smallestUnit: "hour", roundingMode: "floor" });
    case "day":
      return midnight;
    case "week":
      return dayOf(midnight.toPlainDate().subtract({ days: instant.dayOfWeek - 1 }), instant);
    case "month":
      return dayOf(midnight.toPlainDate().with({ day: 1 }), instant);
  }
}

/** Days have 23 to 25 hours. Where clocks change by half an hour, the hour after is searched for from within it. */
function nextOf(begin: Temporal.ZonedDateTime, grain: TrendGrain): Temporal.ZonedDateTime {
  if (grain !== "hour") return dayOf(begin.toPlainDate().add({ [`${grain}s`]: 1 }), begin);
  const next = beginOf(begin.add({ hours: 1 }), "hour");
  return Temporal.ZonedDateTime.compare(next, begin) > 0 ? next : begin.add({ hours: 1 });
}

function dayOf(date: Temporal.PlainDate, { timeZoneId }: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  return date.toZonedDateTime(timeZoneId);
}
