import fc from "fast-check";
import { expect, test } from "vitest";
import { beginningOf, isLargerThan } from "./jsonSize.ts";

test("a value is called larger only when its compact JSON is", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat({ max: 60 }), (value, max) => {
      if (isLargerThan(value, max)) expect(Buffer.byteLength(JSON.stringify(value))).toBeGreaterThan(max);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["numbers", Array.from({ length: 5_000 }, () => 1)],
  ["objects", Array.from({ length: 4_000 }, () => ({}))],
  ["members", Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`n${at}`, 1]))],
  ["text", "x".repeat(10_000)],
])("a value of many %s is called larger when it is twice as large", (_what, value) => {
  expect(isLargerThan(value, JSON.stringify(value).length / 2)).toBe(true);
});

test("the beginning of a value is that of its compact JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 1, max: 80 }), (value, characters) => {
      expect(beginningOf(value, characters)).toBe(JSON.stringify(value).slice(0, characters));
    }),
    { numRuns: 2_000 },
  );
});
