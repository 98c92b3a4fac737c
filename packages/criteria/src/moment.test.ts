import { expect, test } from "vitest";
import { dayOf, firstDayFrom, instantOf, moveBy, readMoment } from "./moment.ts";

const at = (text: string) => Date.parse(text);

test("a date alone is midnight in the zone, a timestamp without one is UTC", () => {
  const berlin = (text: string) => instantOf(readMoment(text) ?? { kind: "instant", milliseconds: 0 }, "Europe/Berlin");
  expect(berlin("2026-07-01")).toBe(at("2026-06-30T22:00:00Z"));
  for (const day of ["20260701", "2026-07", "2026-W27-3", "2026-182"])
    expect(readMoment(day)).toEqual({ kind: "date", date: "2026-07-01" });
  expect(berlin("2026-07-01T10:00:00")).toBe(at("2026-07-01T10:00:00Z"));
  expect(berlin("2026-07-01T10:00:00+05:30")).toBe(at("2026-07-01T04:30:00Z"));
});

test.each(["2026-02-30", "2026-13-01", "tomorrow", "2026-W54-1", "0000-12-31", "2026-01-01T25:00:00Z", ""])(
  "%s is no moment",
  (text) => {
    expect(readMoment(text)).toBeUndefined();
  },
);

test("a moment before 1900 or after 2299 is the one that is written", () => {
  for (const day of ["0001-01-01", "1850-01-01", "1900-01-01", "2299-12-31", "9999-12-31"])
    expect(readMoment(day)).toEqual({ kind: "date", date: day });
  expect(readMoment("0044-03-15T12:00:00Z")).toEqual({ kind: "instant", milliseconds: at("0044-03-15T12:00:00Z") });
  expect(dayOf(at("1850-05-05T12:00:00Z"), "UTC")).toEqual({
    from: at("1850-05-05T00:00:00Z"),
    to: at("1850-05-06T00:00:00Z"),
  });
});

test("a span reaches back before 1900 and ahead of 2299", () => {
  const now = at("2026-03-31T12:00:00Z");
  expect(moveBy(now, { n: 150, unit: "year" }, -1, "UTC")).toBe(at("1876-03-31T12:00:00Z"));
  expect(moveBy(now, { n: 50_000, unit: "day" }, -1, "UTC")).toBe(at("1889-05-08T12:00:00Z"));
  expect(moveBy(at("2150-01-01T00:00:00Z"), { n: 200, unit: "year" }, 1, "UTC")).toBe(at("2350-01-01T00:00:00Z"));
});

test("a day that four digits do not write sorts before or behind all that they do", () => {
  expect(firstDayFrom(at("9999-12-31T12:00:00Z"), "UTC") > "9999-12-31").toBe(true);
  expect(firstDayFrom(at("9999-12-30T12:00:00Z"), "UTC", 3) > "9999-12-31").toBe(true);
  expect(firstDayFrom(at("0001-01-01T00:00:00Z"), "UTC", -400) < "0000-01-01").toBe(true);
  expect(firstDayFrom(at("0001-01-01T00:00:00Z"), "UTC")).toBe("0001-01-01");
});

test("days to minutes are exact lengths, months and years go by the calendar of the zone", () => {
  const before = at("2026-03-30T10:00:00Z");
  expect(moveBy(before, { n: 2, unit: "day" }, -1, "Europe/Berlin")).toBe(at("2026-03-28T10:00:00Z"));
  expect(moveBy(before, { n: 1, unit: "month" }, -1, "Europe/Berlin")).toBe(at("2026-02-28T11:00:00Z"));
  expect(moveBy(at("2028-02-29T00:00:00Z"), { n: 1, unit: "year" }, -1, "UTC")).toBe(at("2027-02-28T00:00:00Z"));
});

test("the day of a clock change has 23 hours", () => {
  const { from, to } = dayOf(at("2026-03-29T12:00:00Z"), "Europe/Berlin");
  expect((to - from) / 3_600_000).toBe(23);
});

test("the first day from a moment is the one of that midnight, else the next", () => {
  const berlin = (text: string) => firstDayFrom(at(text), "Europe/Berlin");
  expect(berlin("2026-06-30T22:00:00Z")).toBe("2026-07-01");
  expect(berlin("2026-06-30T22:00:00.001Z")).toBe("2026-07-02");
  expect(berlin("2026-06-30T21:59:59.999Z")).toBe("2026-07-01");
});

test.each(["UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Beirut", "Pacific/Apia"])(
  "a day in %s is from a moment on exactly when its midnight is",
  (timezone) => {
    const days = Array.from({ length: 4_000 }, (_, index) =>
      new Date(Date.UTC(2009, 0, 1 + index)).toISOString().slice(0, 10),
    );
    for (const date of days) {
      const midnight = instantOf({ kind: "date", date }, timezone);
      expect(firstDayFrom(midnight, timezone) <= date).toBe(true);
      expect(firstDayFrom(midnight + 1, timezone) > date).toBe(true);
    }
  },
);
