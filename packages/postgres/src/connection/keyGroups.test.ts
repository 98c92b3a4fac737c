import { expect, test } from "vitest";
import { keyGroups } from "./keyGroups.ts";

const byFirst = (a: readonly number[], b: readonly number[]) => (a[0] ?? 0) - (b[0] ?? 0);

test("keys that share their first column stand together, groups in order", () => {
  const keys = [
    [2, 1],
    [1, 5],
    [2, 0],
    [1, 4],
  ];
  expect(keyGroups(keys, byFirst)).toEqual([
    [
      [1, 5],
      [1, 4],
    ],
    [
      [2, 1],
      [2, 0],
    ],
  ]);
  expect(keyGroups([], byFirst)).toEqual([]);
});

test("too many groups are none", () => {
  const keys = Array.from({ length: 33 }, (_, index) => [index]);
  expect(keyGroups(keys.slice(1), byFirst)).toHaveLength(32);
  expect(keyGroups(keys, byFirst)).toBeUndefined();
});
