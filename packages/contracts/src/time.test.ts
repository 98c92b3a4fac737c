import { describe, expect, test } from "vitest";
import { parseTime } from "./time.ts";

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
    ["2026-01-09", "2026-01-09T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ])("%s is %s", (text, instant) => {
    expect(at(text)).toBe(instant);
  });

  test("a date alone is its midnight in the zone, on both sides of a change of clocks", () => {
    expect(at("2026-03-29", "Europe/Berlin")).toBe("2026-03-28T23:00:00.000Z");
    expect(at("2026-03-30", "Europe/Berlin")).toBe("2026-03-29T22:00:00.000Z");
  });

  test.each(["2026-02-29", "2026-13-01", "2026-01-09T24:00:00Z", "yesterday", "2026-01-09T22", "", "20260109"])(
    "%s is none",
    (text) => {
      expect(at(text)).toBeUndefined();
    },
  );
});
