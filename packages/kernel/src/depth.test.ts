import { expect, test } from "vitest";
import { isDeeperThan as isDeeperAtOnce, isDeeperInSlices } from "./depth.ts";
import { runAtOnce } from "./slices.ts";

/** Both answer the same. */
function isDeeperThan(value: unknown, levels: number): boolean {
  const isDeeper = isDeeperAtOnce(value, levels);
  expect(runAtOnce(isDeeperInSlices(value, levels))).toBe(isDeeper);
  return isDeeper;
}

const nested = (levels: number): unknown =>
  levels === 0 ? 1 : levels % 2 === 0 ? [nested(levels - 1)] : { a: nested(levels - 1) };

test("a value is as deep as its objects and arrays nest", () => {
  for (const levels of [0, 1, 2, 64]) {
    expect(isDeeperThan(nested(levels), levels)).toBe(false);
    if (levels > 0) expect(isDeeperThan(nested(levels), levels - 1)).toBe(true);
  }
});

test("a value far deeper than the bound exhausts no stack", () => {
  let value: unknown = 1;
  for (let level = 0; level < 200_000; level++) value = [value];
  expect(isDeeperThan(value, 64)).toBe(true);
});
