import { expect, test } from "vitest";
import { findPoison } from "./findPoison.ts";

const items = Array.from({ length: 100 }, (_, index) => index);

test.each([
  ["one", [37]],
  ["the first and the last", [0, 99]],
  ["neighbours", [50, 51, 52]],
  ["all", items],
  ["none", []],
])("of a hundred items, %s that fail alone are found", async (_what, poison) => {
  const fails = async (tried: readonly number[]) => tried.some((item) => poison.includes(item));
  expect(await findPoison(items, fails)).toEqual(poison);
});

test("of two that fail only together the last is found", async () => {
  const fails = async (tried: readonly number[]) => tried.includes(3) && tried.includes(80);
  expect(await findPoison(items, fails)).toEqual([80]);
});

test("when no item at all fails as well, no item is poison", async () => {
  expect(await findPoison(items, async () => true)).toEqual([]);
});
