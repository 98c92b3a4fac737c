import { parsePlainTime, toPlainTime } from "@headwater/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ISO_DAY, ISO_TIMESTAMP } from "./textDates.ts";

const isDate = (text: string) => new RegExp(ISO_DAY).test(text) || new RegExp(ISO_TIMESTAMP).test(text);

test("every day of four centuries is one, and the days between months are none", () => {
  const day = new RegExp(ISO_DAY);
  for (let year = 1900; year <= 2300; year++) {
    for (const month of ["01", "02", "04", "09", "11", "12"]) {
      for (const last of ["00", "01", "28", "29", "30", "31", "32"]) {
        const text = `${year}-${month}-${last}`;
        expect([text, day.test(text)]).toEqual([text, parsePlainTime(text) !== undefined]);
      }
    }
  }
});

describe("a stored text is a date in a query exactly when it is plainly one", () => {
  test.each([
    "2026-01-09T22:47:12Z",
    "2026-01-09T22:47:12.123456z",
    "2026-01-09 22:47",
    "2026-01-09T22:47:12+0200",
    "2026-01-09T22:47:12-18:59",
    "2026-01-09 22:47:12+02",
    "2026-01-09T22:47:12+0",
    "2026-01-09T22:47:12+020",
    "2026-01-09T22:47:12+19:00",
    "2026-01-09T22",
    "2026-01-09T",
    "2026-01-09Z",
    "2026-01-09T24:00:00Z",
    "2026-01-09T22:60:00Z",
    "2026-01-09T22:47:12 PM",
    "2026-01-09T22:47:12.1234567890Z",
    " 2026-01-09",
    "2026-01-09\n",
    "20260109",
    "",
  ])("%j", (text) => {
    expect(isDate(text)).toBe(parsePlainTime(text) !== undefined);
  });

  test.each([
    "20260109",
    "2026-W02-5",
    "2026-009",
    "2026-01",
    "20260109T224712Z",
    "2026-06-30T23:59:60Z",
    "0000-W01-7",
  ])("%j is one as it is stored", (text) => {
    expect(isDate(text)).toBe(false);
    expect(isDate(toPlainTime(text) ?? "")).toBe(true);
  });

  test("whatever its digits", () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 14, maxLength: 14 });
    const shape = fc.constantFrom(
      "dddd-dd-dd",
      "dddd-dd-ddTdd:dd:ddZ",
      "dddd-dd-dd dd:dd",
      "dddd-dd-ddTdd:dd:dd.d+dd:dd",
    );
    fc.assert(
      fc.property(shape, digits, (pattern, numbers) => {
        let at = 0;
        const text = pattern.replaceAll("d", () => String(numbers[at++ % numbers.length]));
        expect(isDate(text)).toBe(parsePlainTime(text) !== undefined);
      }),
      { numRuns: 2_000 },
    );
  });
});
