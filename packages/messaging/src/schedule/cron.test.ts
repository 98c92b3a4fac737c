/// <reference lib="esnext.temporal" />
import { describe, expect, test } from "vitest";
import { latestTick, nextTick, problemOfSchedule } from "./cron.ts";

const at = (text: string) => Date.parse(text);
const view = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16));
const next = (cron: string, timezone: string, after: string) => view(nextTick({ cron, timezone }, at(after)));
const latest = (cron: string, timezone: string, to: string) => view(latestTick({ cron, timezone }, at(to)));

/** Ticks from a time on, each asked for behind the one before. */
function ticks(cron: string, timezone: string, from: string, count: number) {
  const found: (string | undefined)[] = [];
  for (let last: number | undefined = at(from); found.length < count && last !== undefined; ) {
    last = nextTick({ cron, timezone }, last);
    found.push(view(last)?.slice(5));
  }
  return found;
}

test("the next tick is behind a time, the latest one at it or before", () => {
  expect(next("0 9 * * *", "Europe/Berlin", "2026-01-10T08:00:00Z")).toBe("2026-01-11T08:00");
  expect(next("0 9 * * *", "Europe/Berlin", "2026-01-10T07:59:59Z")).toBe("2026-01-10T08:00");
  expect(latest("0 9 * * *", "Europe/Berlin", "2026-01-10T08:00:00Z")).toBe("2026-01-10T08:00");
  expect(latest("0 9 * * *", "Europe/Berlin", "2026-01-10T07:59:59Z")).toBe("2026-01-09T08:00");
});

describe("when clocks change", () => {
  test("a time that they skip is due as they go forward, once", () => {
    expect(ticks("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3)).toEqual([
      ...["03-28T01:30", "03-29T01:00", "03-30T00:30"],
    ]);
    expect(ticks("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T10:00:00Z", 2)).toEqual([
      "10-03T15:30",
      "10-04T15:15",
    ]);
    expect(latest("30 2 * * *", "Europe/Berlin", "2026-03-29T01:20:00Z")).toBe("2026-03-29T01:00");
  });

  test("a time that comes twice is due once, from whatever moment it is asked for", () => {
    for (const after of ["00:30:00", "00:30:01", "00:45:00", "01:00:00", "01:30:00"]) {
      expect(next("30 2 * * *", "Europe/Berlin", `2026-10-25T${after}Z`)).toBe("2026-10-26T01:30");
    }
    expect(latest("30 2 * * *", "Europe/Berlin", "2026-10-25T03:00:00Z")).toBe("2026-10-25T00:30");
  });

  test("schedules of every hour go on by the hour", () => {
    expect(ticks("0 * * * *", "Europe/Berlin", "2026-10-24T23:00:00Z", 4)).toEqual([
      ...["10-25T00:00", "10-25T01:00", "10-25T02:00", "10-25T03:00"],
    ]);
    expect(ticks("0 * * * *", "Europe/Berlin", "2026-03-28T23:30:00Z", 3)).toEqual([
      ...["03-29T00:00", "03-29T01:00", "03-29T02:00"],
    ]);
  });
});

/** Days around a change of clocks: forward and back, by 30 minutes to 2 hours, at midnight and at night, and a day that a country left out. */
const CLOCK_CHANGES = [
  ["Europe/Berlin", "2026-03-29"],
  ["Europe/Berlin", "2026-10-25"],
  ["America/New_York", "2027-03-14"],
  ["America/New_York", "2027-11-07"],
  ["America/Havana", "2026-03-08"],
  ["America/Havana", "2026-11-01"],
  ["Asia/Beirut", "2026-03-29"],
  ["Asia/Beirut", "2026-10-25"],
  ["Australia/Lord_Howe", "2026-10-04"],
  ["Pacific/Chatham", "2027-04-04"],
  ["Antarctica/Troll", "2026-03-29"],
  ["Pacific/Apia", "2011-12-30"],
] as const;

const MINUTE_MS = 60_000;
const DAYS_AROUND = 3;

/** Reads a clock of the zone each minute: a day's tick is the first at which it shows the time, or a later one of the same day. */
function ticksByClock(time: string, timezone: string, day: string): string[] {
  const middle = Temporal.PlainDate.from(day);
  const instant = (days: number) => middle.add({ days }).toZonedDateTime(timezone).epochMilliseconds;
  const seen = new Map<string, string>();
  for (let ms = instant(-DAYS_AROUND); ms < instant(DAYS_AROUND + 1); ms += MINUTE_MS) {
    const clock = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);
    const date = clock.toPlainDate().toString();
    if (!seen.has(date) && clock.toPlainTime().toString().slice(0, 5) >= time) seen.set(date, view(ms)?.slice(5) ?? "");
  }
  return [...seen.values()];
}

describe.each(CLOCK_CHANGES)("around the change of clocks of %s on %s", (timezone, day) => {
  const from = Temporal.PlainDate.from(day).subtract({ days: DAYS_AROUND }).toZonedDateTime(timezone).epochMilliseconds;

  test.each(["00:00", "00:30", "01:30", "02:00", "02:15", "02:30", "02:45", "03:00", "03:30", "12:00", "23:30"])(
    "%s of each day comes once, at the next time that exists or the first of two",
    (time) => {
      const [hour, minute] = time.split(":").map(Number);
      const expected = ticksByClock(time, timezone, day);
      const cron = `${minute} ${hour} * * *`;
      expect(ticks(cron, timezone, new Date(from - 1).toISOString(), expected.length)).toEqual(expected);
    },
  );
});

describe("leap days", () => {
  const years = (cron: string, timezone: string, from: string, count: number) => {
    const found: string[] = [];
    for (let last: number | undefined = at(from); found.length < count && last !== undefined; ) {
      last = nextTick({ cron, timezone }, last);
      found.push(view(last) ?? "");
    }
    return found;
  };

  test("29 February comes in leap years alone", () => {
    expect(years("0 9 29 2 *", "UTC", "2026-01-01T00:00:00Z", 3)).toEqual([
      ...["2028-02-29T09:00", "2032-02-29T09:00", "2036-02-29T09:00"],
    ]);
    expect(latest("0 9 29 2 *", "UTC", "2027-12-31T00:00:00Z")).toBe("2024-02-29T09:00");
    expect(next("0 0 29 2 *", "Pacific/Kiritimati", "2027-03-01T00:00:00Z")).toBe("2028-02-28T10:00");
  });

  test("the last day of February is the 28th or the 29th", () => {
    expect(years("30 6 L 2 *", "UTC", "2027-01-01T00:00:00Z", 3)).toEqual([
      ...["2027-02-28T06:30", "2028-02-29T06:30", "2029-02-28T06:30"],
    ]);
  });

  test("each day around one comes once, and weeks go on", () => {
    expect(ticks("0 12 * * *", "Europe/Berlin", "2028-02-27T12:00:00Z", 4)).toEqual([
      ...["02-28T11:00", "02-29T11:00", "03-01T11:00", "03-02T11:00"],
    ]);
    expect(ticks("0 12 * * TUE", "UTC", "2028-02-21T00:00:00Z", 3)).toEqual([
      ...["02-22T12:00", "02-29T12:00", "03-07T12:00"],
    ]);
  });

  test("31 of a month passes over those that are shorter", () => {
    expect(ticks("0 8 31 * *", "UTC", "2028-01-01T00:00:00Z", 4)).toEqual([
      ...["01-31T08:00", "03-31T08:00", "05-31T08:00", "07-31T08:00"],
    ]);
  });
});

test("a schedule needs five fields that name a day, and a zone that there is", () => {
  const problem = (cron: string, timezone = "UTC") => problemOfSchedule({ cron, timezone }, at("2026-01-01T00:00:00Z"));
  for (const cron of ["0 9 * * *", " */15  8-18 * * MON-FRI ", "0 0 L * *", "0 9 29 2 *", "0 9 * * 7"]) {
    expect([cron, problem(cron)]).toEqual([cron, undefined]);
  }
  for (const cron of [
    "",
    "* * * *",
    "* * * * * *",
    "@daily",
    "2026-01-01T00:00:00",
    "60 * * * *",
    "a b c d e",
    "0 0 31 2 *",
  ]) {
    expect([cron, problem(cron)?.member]).toEqual([cron, "cron"]);
  }
  expect(problem(`${"0,".repeat(100)}0 * * * *`)?.member).toBe("cron");
  for (const zone of ["", "Mars/Olympus", "+02:00", "Europe/"])
    expect(problem("0 9 * * *", zone)?.member).toBe("timezone");
});
