import { describe, expect, test } from "vitest";
import { createNotation } from "./notation.ts";

describe("numbers", () => {
  test.each([
    [",", "1,5", "1.5"],
    [",", "1.234,50", "1234.50"],
    [",", "-12 345,6", "-12345.6"],
    [",", "1.234", "1234"],
    [",", "12", "12"],
    [",", ",5", "0.5"],
    [",", "-,5", "-0.5"],
    [".", ".5", "0.5"],
    [",", ",", undefined],
    [",", "1.23", undefined],
    [",", "01234", undefined],
    [",", "1,2,3", undefined],
    [",", "1.5e3", undefined],
    [".", "1,234.50", "1234.50"],
    [".", "1'234.5", "1234.5"],
    [".", "1,5", undefined],
    [".", "Berlin", undefined],
  ] as const)("with the decimal %j, %j is %s", (decimal, text, number) => {
    expect(createNotation({ decimal })?.number(text)).toBe(number);
  });
});

describe("dates", () => {
  test.each([
    ["dd.mm.yyyy", "31.01.2026", "2026-01-31"],
    ["dd.mm.yyyy", "1.2.2026", "2026-02-01"],
    ["DD.MM.YYYY", "29.02.2024", "2024-02-29"],
    ["dd.mm.yyyy", "29.02.2026", undefined],
    ["dd.mm.yyyy", "2026-01-31", undefined],
    ["mm/dd/yyyy", "01/31/2026", "2026-01-31"],
    ["m/d/yy", "1/31/99", "1999-01-31"],
    ["m/d/yy", "1/31/26", "2026-01-31"],
    ["yyyymmdd", "20260131", "2026-01-31"],
    ["dd.mm.yyyy hh:mm", "31.01.2026 7:05", "2026-01-31T07:05:00"],
    ["hh:mm:ss dd/mm/yyyy", "23:59:58 31/12/2025", "2025-12-31T23:59:58"],
    ["dd.mm.yyyy hh:mm", "31.01.2026 24:05", undefined],
    ["yyyy-mm-dd", "0001-01-01", "0001-01-01"],
  ])("in the format %j, %j is %s", (dateFormat, text, date) => {
    expect(createNotation({ dateFormat })?.date(text)).toBe(date);
  });
});

test("an import that names no notation has none", () => {
  expect(createNotation({})).toBeUndefined();
});
