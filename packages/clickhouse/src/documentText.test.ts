import fc from "fast-check";
import { expect, test } from "vitest";
import { toDocumentText } from "./documentText.ts";

test.each([
  [{ id: 108476845404192600000 }, '{"id":108476845404192600000.0}'],
  [{ deep: [1, { id: -108476845404192600000 }] }, '{"deep":[1,{"id":-108476845404192600000.0}]}'],
  [[2 ** 64, 2 ** 64 - 2048], "[18446744073709552000.0,18446744073709550000]"],
  [[-(2 ** 63), -(2 ** 63) + 1024], "[-9223372036854776000.0,-9223372036854775000]"],
  [2 ** 63, "9223372036854776000"],
])("an integer beyond 64 bits in %j is written as a float: %s", (value, text) => {
  expect(toDocumentText(value)).toBe(text);
});

test.each([
  { text: "108476845404192600000", quoted: 'a \\" 108476845404192600000', "108476845404192600000": true },
  { fraction: 1 / 3, tiny: 1 / 3e30, huge: 1e30 / 3 },
  { path: "\\", escaped: '\\\\"', id: 1 },
])("strings, names, fractions and exponents in %j stay as they are", (value) => {
  expect(toDocumentText(value)).toBe(JSON.stringify(value));
});

test("an integer behind a string of backslashes and quotes is still found", () => {
  expect(toDocumentText(['\\"\\', 1e20])).toBe('["\\\\\\"\\\\",100000000000000000000.0]');
});

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }).map(Number),
  fc.integer(),
);
const text = fc.oneof(
  fc.string(),
  fc.bigInt({ min: 0n, max: 10n ** 24n }).map(String),
  fc.constantFrom('"', "\\", '\\"'),
);
const name = text.map((characters) => characters.replaceAll(/["\\]/g, "-"));
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { depthSize: "small" },
    number,
    text,
    fc.array(tie("document"), { maxLength: 6 }),
    fc.dictionary(name, tie("document"), { maxKeys: 6 }),
  ),
}));

test("every document reads as the same values, and no integer in it is beyond 64 bits", () => {
  fc.assert(
    fc.property(document, (value) => {
      const written = toDocumentText(value);
      expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
      for (const source of numbersOf(written)) {
        if (!/^-?\d+$/.test(source)) continue;
        expect(BigInt(source)).toBeLessThan(2n ** 64n);
        expect(BigInt(source)).toBeGreaterThanOrEqual(-(2n ** 63n));
      }
    }),
    { numRuns: 2_000 },
  );
});

/** The numbers of a JSON text as they are written: what is left without its strings. */
function numbersOf(json: string): readonly string[] {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g) ?? [];
}
