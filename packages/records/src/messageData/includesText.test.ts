import fc from "fast-check";
import { expect, test } from "vitest";
import { includesText } from "./selectRecords.ts";

const deadLetters = fc.constantFrom("a", "b", "é", "\u{1f600}");
const textOf = (minLength: number, maxLength: number) =>
  fc.array(deadLetters, { minLength, maxLength }).map((parts) => parts.join(""));

test("a long text contains what the engine's own search finds in it", () => {
  fc.assert(
    fc.property(textOf(400, 600), textOf(180, 220), fc.nat(400), (text, other, from) => {
      const inside = text.slice(from, from + 180);
      for (const wanted of [inside, other, `${inside}b`, text]) {
        expect(includesText(text, wanted)).toBe(text.includes(wanted));
      }
    }),
    { numRuns: 50 },
  );
});

test.each([
  ["", "", true],
  ["a", "", true],
  ["", "a", false],
  ["abc", "abcd", false],
  [`${"ab".repeat(50_000)}abb`, `${"ab".repeat(500)}abb`, true],
  ["a".repeat(100_000), `b${"a".repeat(1_000)}`, false],
])("case %#", (text, wanted, expected) => {
  expect(includesText(text, wanted)).toBe(expected);
});
