import { expect, test } from "vitest";
import { mergePatch } from "./mergePatch.ts";

test("a patch goes into objects, replaces arrays and removes by null", () => {
  const target = { a: { b: 1, c: 2 }, d: [1, 2], e: 5 };
  expect(mergePatch(target, { a: { b: null, x: 9 }, d: [3], e: null })).toEqual({ a: { c: 2, x: 9 }, d: [3] });
  expect(target).toEqual({ a: { b: 1, c: 2 }, d: [1, 2], e: 5 });
});
