/// <reference lib="esnext.temporal" />
import { describe, expect, test } from "vitest";
import { readRareTime } from "./rareTime.ts";

const read = (text: string) => {
  const time = readRareTime(text);
  return time?.kind === "instant" ? new Date(time.milliseconds).toISOString() : time?.day;
};

describe("rarer forms of ISO 8601", () => {
  test.each([
    ["20260109", "2026-01-09"],
    ["2026-01", "2026-01-01"],
    ["2026-001", "2026-01-01"],
    ["2024366", "2024-12-31"],
    ["2026-W01", "2025-12-29"],
    ["2026-W01-1", "2025-12-29"],
    ["2026W537", "2027-01-03"],
    ["20260101T100000Z", "2026-01-01T10:00:00.000Z"],
    ["20260101T1000+02", "2026-01-01T08:00:00.000Z"],
    ["2026-01-01T10", "2026-01-01T10:00:00.000Z"],
    ["2026-W01-4T10:00Z", "2026-01-01T10:00:00.000Z"],
    ["2026-01-01T10:00:00,5Z", "2026-01-01T10:00:00.500Z"],
    ["2026-01-01T10:00,5Z", "2026-01-01T10:00:30.000Z"],
    ["2026-01-01T10.25-05:30", "2026-01-01T15:45:00.000Z"],
    ["2026-01-01T24:00:00Z", "2026-01-02T00:00:00.000Z"],
    ["2026-12-31T24:00", "2027-01-01T00:00:00.000Z"],
    ["2026-01-01t10:00:00z", "2026-01-01T10:00:00.000Z"],
    ["2026-06-30T23:59:60Z", "2026-07-01T00:00:00.000Z"],
    ["2026-06-30T23:59:60.25Z", "2026-07-01T00:00:00.250Z"],
    ["2026-07-01T01:59:60+02:00", "2026-07-01T00:00:00.000Z"],
  ])("%s is %s", (text, wanted) => {
    expect(read(text)).toBe(wanted);
  });

  test.each([
    "2026",
    "202601",
    "2026-W54-1",
    "2025-W53-1",
    "2026-W00-1",
    "2026-W01-0",
    "2026-W01-8",
    "2026-000",
    "2026-366",
    "2026-13",
    "20260230",
    "2026-01T10:00",
    "2026-W01T10:00",
    "2026-0101",
    "202601-01",
    "20260101T10:00",
    "2026-01-01T1000",
    "2026-01-01T24:00:01",
    "2026-01-01T24:01",
    "2026-01-01T24:00:00.5",
    "2026-01-01T25",
    "2026-01-01T10:60",
    "2026-06-30T23:59:61Z",
    "2026-06-29T23:59:60Z",
    "2026-06-30T22:59:60Z",
    "2026-06-30T23:59:60+02:00",
    "2026-01-01T",
    "2026-01-01Z",
    "2026-01-01T10:00:00 Z",
    "2026-01-01T10:00:00+19",
    "0000-W01-1x",
    "0000-01-01T00:00:00,0+01",
    "9999-12-31T24:00",
    "1767225600",
    "now",
    "",
  ])("%s is none", (text) => {
    expect(read(text)).toBeUndefined();
  });

  test("weeks and days of the year are those of the calendar, for four hundred years", () => {
    for (let day = Temporal.PlainDate.from("1900-01-01"); day.year < 2300; day = day.add({ days: 3 })) {
      const { yearOfWeek, weekOfYear, dayOfWeek, year, dayOfYear } = day;
      const week = `${yearOfWeek}-W${String(weekOfYear).padStart(2, "0")}-${dayOfWeek}`;
      const ordinal = `${year}-${String(dayOfYear).padStart(3, "0")}`;
      if (read(week) !== day.toString() || read(ordinal) !== day.toString()) expect.fail(`${week} ${ordinal}`);
    }
  });
});
