import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDecimal, parseDecimal } from "./decimal.ts";

describe("decimals", () => {
  test.each([
    ["12.5", "12.5"],
    [-3, "-3"],
    ["0.00005", "0"],
    ["0.00015", "0.0002"],
    ["0.00025", "0.0002"],
    ["1e3", "1000"],
    [0.1, "0.1"],
    ["99999999999999.9999", "99999999999999.9999"],
  ])("%s reads as %s, rounded half even at four digits", (input, text) => {
    const value = parseDecimal(input);
    expect(value === undefined ? undefined : formatDecimal(value)).toBe(text);
  });

  test.each(["", "abc", "1.2.3", "100000000000000", "1e999", Number.NaN])("%s is no decimal", (input) => {
    expect(parseDecimal(input)).toBeUndefined();
  });

  test("what is written reads as the same value", () => {
    const bound = 10n ** 18n - 1n;
    fc.assert(
      fc.property(fc.bigInt({ min: -bound, max: bound }), (value) => {
        expect(parseDecimal(formatDecimal(value))).toBe(value);
      }),
    );
  });

  test("have all their digits and no more, however many they are", () => {
    const digits = fc.tuple(
      fc.bigInt({ min: 0n, max: 10n ** 14n - 1n }),
      fc.integer({ min: 0, max: 9_999 }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 14 }), ([whole, fraction, isNegative], positions) => {
        const view = whole / 10n ** BigInt(positions);
        const value = view * 10_000n + BigInt(fraction);
        const behind = String(fraction).padStart(4, "0").replace(/0+$/, "");
        const sign = isNegative && value !== 0n ? "-" : "";
        const text = `${sign}${view}${behind === "" ? "" : `.${behind}`}`;
        expect(formatDecimal(isNegative ? -value : value)).toBe(text);
        expect(parseDecimal(text)).toBe(isNegative ? -value : value);
        expect(parseDecimal(`${sign}${view}.${String(fraction).padStart(4, "0")}`)).toBe(isNegative ? -value : value);
      }),
      { numRuns: 2_000 },
    );
  });
});
