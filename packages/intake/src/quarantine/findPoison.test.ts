import { expect, test } from "vitest";
import { findPoison } from "./findPoison.ts";

const items = Array.from({ length: 100 }, (_, index) => index);

test.each([
  ["one", [37]],
  ["the first and the last", [0, 99]],
  ["neighbours", [50, 51, 52]],
  ["all", items],
  ["none", []],
])("%s poison items among a hundred are found", async (_what, poison) => {
  const fails = async (tried: readonly number[]) => tried.some((item) => poison.includes(item));
  expect(await findPoison(items, fails)).toEqual(poison);
});

test("the last of two items that fail only together is found", async () => {
  const fails = async (tried: readonly number[]) => tried.includes(3) && tried.includes(80);
  expect(await findPoison(items, fails)).toEqual([80]);
});

test("no item is poison when an empty batch fails as well", async () => {
  expect(await findPoison(items, async () => true)).toEqual([]);
});
