import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePlainTime, parseTime, toPlainTime, toTimestamp } from "./time.ts";

const at = (text: string, zone?: string) => {
  const ms = parseTime(text, zone);
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

describe("times", () => {
  test.each([
    ["2026-01-09T22:47:12Z", "2026-01-09T22:47:12.000Z"],
    ["2026-01-09T22:47:12.123456Z", "2026-01-09T22:47:12.123Z"],
    ["2026-01-09 22:47", "2026-01-09T22:47:00.000Z"],
    ["2026-01-09T22:47:12+02:00", "2026-01-09T20:47:12.000Z"],
    ["2026-01-09 22:47:12.5-0230", "2026-01-10T01:17:12.500Z"],
    ["2026-01-09 22:47:12.5+02", "2026-01-09T20:47:12.500Z"],
    ["2026-01-09", "2026-01-09T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0099-01-01T00:00:00Z", "0099-01-01T00:00:00.000Z"],
    ["0026-11-20T01:00:00+01:00", "0026-11-20T00:00:00.000Z"],
    ["0000-02-29T00:00:00Z", "0000-02-29T00:00:00.000Z"],
    ["0000-02-29", "0000-02-29T00:00:00.000Z"],
  ])("%s is %s", (text, instant) => {
    expect(at(text)).toBe(instant);
  });

  test("a date alone is its midnight in the zone, on both sides of a change of clocks", () => {
    expect(at("2026-03-29", "Europe/Berlin")).toBe("2026-03-28T23:00:00.000Z");
    expect(at("2026-03-30", "Europe/Berlin")).toBe("2026-03-29T22:00:00.000Z");
    expect(at("0099-01-01", "America/New_York")).toBe("0099-01-01T04:56:02.000Z");
  });

  test.each(["2026-02-29", "2026-13-01", "yesterday", "", "1767225600", "1767225600000", "2026"])(
    "%s is none",
    (text) => {
      expect(at(text)).toBeUndefined();
      expect(toPlainTime(text)).toBeUndefined();
    },
  );

  test("a day in any form is its midnight in the zone", () => {
    for (const text of ["20260329", "2026-088", "2026088", "2026-W13-7", "2026W137"]) {
      expect(at(text, "Europe/Berlin")).toBe("2026-03-28T23:00:00.000Z");
      expect(toPlainTime(text)).toBe("2026-03-29");
    }
  });

  test("a plain form of a time is itself, and that of another is its instant", () => {
    for (const text of ["2026-01-09", "2026-01-09 22:47:12.5+02"]) expect(toPlainTime(text)).toBe(text);
    expect(toPlainTime("20260109T224712+0200")).toBe("2026-01-09T20:47:12.000Z");
    expect(parsePlainTime("20260109T224712+0200")).toBeUndefined();
  });
});

describe("a timestamp", () => {
  const agrees = (ms: number): void => {
    expect(toTimestamp(ms)).toBe(new Date(ms).toISOString());
  };

  test("is what Date writes, in any year", () => {
    fc.assert(fc.property(fc.integer({ min: -62_167_219_200_000, max: 260_000_000_000_000 }), agrees), {
      numRuns: 5_000,
    });
    fc.assert(fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), agrees), { numRuns: 5_000 });
  });

  test("is what Date writes on every day of four hundred years, and at their ends", () => {
    for (let day = 0; day <= 146_097; day++) {
      const text = toTimestamp(day * 86_400_000 - (day === 0 ? 0 : 1));
      if (text !== new Date(day * 86_400_000 - (day === 0 ? 0 : 1)).toISOString()) expect.fail(text);
    }
    for (const ms of [0, 1, 99, 100, 999, 253_402_300_799_999, 253_402_300_800_000, 1.5]) agrees(ms);
  });
});
