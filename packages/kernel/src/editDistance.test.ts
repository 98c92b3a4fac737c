import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance } from "./editDistance.ts";

test.each([
  ["kitten", "sitting", 3],
  ["", "abc", 3],
  ["abc", "", 3],
  ["same", "same", 0],
  ["ab", "ba", 2],
  ["atributes", "attributes", 1],
])("%s and %s are %i edits apart", (left, right, distance) => {
  expect(editDistance(left, right, 10)).toBe(distance);
  expect(editDistance(left, right, distance)).toBe(distance);
});

test("the distance is what the whole table says, up to its bound", () => {
  const text = fc.string({ maxLength: 24, unit: fc.constantFrom("a", "b", "c") });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 30 }), (left, right, max) => {
      expect(editDistance(left, right, max)).toBe(Math.min(wholeTable(left, right), max + 1));
    }),
  );
});

/** Every cell, row by row. */
function wholeTable(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let at = 1; at <= left.length; at++) {
    const next = [at];
    for (let column = 1; column <= right.length; column++) {
      const changed = (row[column - 1] ?? 0) + (left[at - 1] === right[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
