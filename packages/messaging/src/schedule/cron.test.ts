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
