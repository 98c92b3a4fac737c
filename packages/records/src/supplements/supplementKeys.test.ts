import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareKeys, entryKeys, isWithin, rangeOf } from "./supplementKeys.ts";

type Type = Parameters<typeof entryKeys>[0]["type"];

const indexOn = (type: Type) => ({ field: "f", type, timezone: "Europe/Berlin" });
const keysOf = (type: Type, value: unknown) =>
  entryKeys(indexOn(type), new Map([["f", { value: JSON.parse(JSON.stringify(value)), version: "" }]]));
const keyOf = (type: Type, value: unknown) => keysOf(type, value)[0] ?? "";
const sign = (n: number) => Math.sign(n);

describe("keys of an index sort as its values do", () => {
  test("numbers, whatever their size, written as numbers or as texts", () => {
    const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constantFrom(0, -0));
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(sign(compareKeys(keyOf("number", a), keyOf("number", String(b))))).toBe(
          sign(a < b ? -1 : a > b ? 1 : 0),
        );
      }),
      { numRuns: 2_000 },
    );
    expect(keyOf("number", "9007199254740993") > keyOf("number", "9007199254740992.9999")).toBe(true);
    for (const same of ["1e3", "1000", "+1000.00", "0.1e4"]) expect(keyOf("number", same)).toBe(keyOf("number", 1_000));
  });

  test("strings by their bytes, which is the order of code points", () => {
    const points = (text: string) => [...text].map((character) => character.codePointAt(0) ?? 0);
    const text = fc.string({ unit: "grapheme", maxLength: 6 }).filter((one) => !one.includes("\0"));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [x, y] = [points(a), points(b)];
        const at = x.findIndex((point, index) => point !== y[index]);
        const expected = at < 0 ? x.length - y.length : (x[at] ?? 0) - (y[at] ?? -1);
        expect(sign(compareKeys(keyOf("string", a), keyOf("string", b)))).toBe(sign(expected));
      }),
    );
  });

  test("dates as times, a date alone as midnight in the zone of the index", () => {
    const sorted = [
      "0101-01-01",
      "1970-01-01",
      "1969-12-31T23:59:59Z",
      "2026-01-08T22:59:59Z",
      "2026-01-09",
      "2026-01-08T23:00:01Z",
      "9999-12-31",
    ];
    expect(sorted.map((date) => keyOf("date", date)).toSorted(compareKeys)).toEqual(
      sorted.map((date) => keyOf("date", date)),
    );
  });

  test("keys of an index put absent values and values of another type last", () => {
    for (const [type, last] of [
      ["string", "~~"],
      ["number", 1e308],
      ["date", "9999-12-31"],
    ] as const) {
      for (const value of [null, {}, true]) expect(keyOf(type, value) > keyOf(type, last)).toBe(true);
    }
    expect([keysOf("array", "x"), keysOf("geo", 1)]).toEqual([[], []]);
  });
});

describe("a filter finds", () => {
  const comparisons = ["eq", "gt", "gte", "lt", "lte"] as const;
  const holds = {
    eq: (n: number) => n === 0,
    gt: (n: number) => n > 0,
    gte: (n: number) => n >= 0,
    lt: (n: number) => n < 0,
    lte: (n: number) => n <= 0,
  };

  test.each(comparisons)("by %s exactly the values that compare so", (comparison) => {
    const number = fc.integer({ min: -30, max: 30 }).map((n) => n / 8);
    fc.assert(
      fc.property(number, number, (value, than) => {
        const range = rangeOf(indexOn("number"), { member: "", comparison, text: String(than) });
        expect(range && isWithin(keyOf("number", value), range)).toBe(holds[comparison](value - than));
        expect(range && isWithin(keyOf("number", null), range)).toBe(false);
      }),
    );
  });

  test("each element of an array, and each member of a geo value", () => {
    const is = (type: Type, member: string, text: string) => {
      const range = rangeOf(indexOn(type), { member, comparison: "eq", text });
      const value = type === "array" ? ["a", "ab", 5, true] : { city: "Rome", loc: { lat: -41.5, lon: 12 } };
      return range !== undefined && keysOf(type, value).some((key) => isWithin(key, range));
    };
    expect(["a", "ab", "5", "true", "b", ""].map((text) => is("array", "", text))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect([is("geo", "city", "Rome"), is("geo", "state", "Rome"), is("geo", "loc.lat", "-41.50")]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("nothing for a text that is no value of the type", () => {
    expect(rangeOf(indexOn("number"), { member: "", comparison: "eq", text: "many" })).toBeUndefined();
    expect(rangeOf(indexOn("date"), { member: "", comparison: "eq", text: "2026-02-30" })).toBeUndefined();
  });
});
