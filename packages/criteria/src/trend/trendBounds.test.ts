import { expect, test } from "vitest";
import { type TrendGrain, trendBounds } from "./trendBounds.ts";

function texts(grain: TrendGrain, timezone: string, [from, to]: readonly [string, string], most = 10_000) {
  const bounds = trendBounds({ from: Date.parse(from), to: Date.parse(to), grain, timezone }, most);
  return bounds?.map((bound) => new Date(bound).toISOString().slice(0, 16));
}

test.each<[TrendGrain, string, [string, string], string[]]>([
  [
    "day",
    "Europe/Berlin",
    ["2026-03-28T10:00Z", "2026-03-31T00:00Z"],
    ["2026-03-28T10:00", "2026-03-28T23:00", "2026-03-29T22:00", "2026-03-30T22:00", "2026-03-31T00:00"],
  ],
  [
    "day",
    "Asia/Beirut",
    ["2026-03-27T22:00Z", "2026-03-29T21:00Z"],
    ["2026-03-27T22:00", "2026-03-28T22:00", "2026-03-29T21:00"],
  ],
  [
    "week",
    "UTC",
    ["2026-01-01T00:00Z", "2026-01-14T00:00Z"],
    ["2026-01-01T00:00", "2026-01-05T00:00", "2026-01-12T00:00", "2026-01-14T00:00"],
  ],
  [
    "month",
    "UTC",
    ["2026-01-01T00:00Z", "2026-03-01T00:00Z"],
    ["2026-01-01T00:00", "2026-02-01T00:00", "2026-03-01T00:00"],
  ],
  [
    "hour",
    "Asia/Kolkata",
    ["2026-01-01T00:00Z", "2026-01-01T01:45Z"],
    ["2026-01-01T00:00", "2026-01-01T00:30", "2026-01-01T01:30", "2026-01-01T01:45"],
  ],
  [
    "hour",
    "Europe/Berlin",
    ["2026-10-24T23:30Z", "2026-10-25T02:00Z"],
    ["2026-10-24T23:30", "2026-10-25T00:00", "2026-10-25T01:00", "2026-10-25T02:00"],
  ],
  ["hour", "UTC", ["2026-01-01T00:10Z", "2026-01-01T00:20Z"], ["2026-01-01T00:10", "2026-01-01T00:20"]],
])("by %s in %s bounds are where the zone's clock says", (grain, timezone, frame, bounds) => {
  expect(texts(grain, timezone, frame)).toEqual(bounds);
});

test("hours move forwards where clocks change by half an hour", () => {
  const hours = texts("hour", "Australia/Lord_Howe", ["2026-04-04T12:00Z", "2026-04-04T20:00Z"]) ?? [];
  expect(hours).toEqual([...new Set(hours)].sort());
  expect(hours.length).toBeGreaterThan(8);
});

test("a trend with more points than there may be has none", () => {
  const month: [string, string] = ["2026-01-01T00:00Z", "2026-01-11T00:00Z"];
  expect(texts("day", "UTC", month, 10)).toHaveLength(11);
  expect(texts("day", "UTC", month, 9)).toBeUndefined();
});
