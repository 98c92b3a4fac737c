import { expect, test } from "vitest";
import { defaultEntry, entryKeyOf, entryShape } from "./entry.ts";

test("a template without an entry sends again and again, to everybody", () => {
  expect(entryShape.parse({})).toEqual(defaultEntry);
});

test.each([
  [{ cart: { id: 7 } }, "cart.id", "7"],
  [{ "cart.id": "7" }, "cart.id", '"7"'],
  [{ paid: false }, "paid", "false"],
  [{ cart: { id: 7 } }, "cart", undefined],
  [{ id: null }, "id", undefined],
  [{}, "id", undefined],
  [{ id: "x".repeat(2_000) }, "id", undefined],
  ["no object", "id", undefined],
])("of %j the key %s is %s", (properties, key, expected) => {
  expect(entryKeyOf({ ...defaultEntry, key }, properties)).toBe(expected);
  expect(entryKeyOf(defaultEntry, properties)).toBe("");
});
