import fc from "fast-check";
import { expect, test } from "vitest";
import { hasLongerJson } from "./jsonLength.ts";

test("a JSON text is longer than each number of bytes below its own, and than no other", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      expect(hasLongerJson(value, bytes - 1)).toBe(true);
      expect(hasLongerJson(value, bytes)).toBe(false);
    }),
  );
});

test("a value far deeper than its bound exhausts no stack", () => {
  let value: unknown = 1;
  for (let level = 0; level < 200_000; level++) value = [value];
  expect(hasLongerJson(value, 1_000)).toBe(true);
  expect(hasLongerJson(value, 1_000_000)).toBe(false);
});
