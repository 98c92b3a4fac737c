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
});
