import { expect, test } from "vitest";
import { parsePath } from "./outline.ts";

test.each([
  ["a", ["a"]],
  ["a.b", ["a", "b"]],
  ["a[0].b", ["a", 0, "b"]],
  ["a[0][12]", ["a", 0, 12]],
  ['a."b.c"', ["a", "b.c"]],
  ['"x[0]"[3].y', ["x[0]", 3, "y"]],
  ['"a\\"b"', ['a"b']],
  ["größe 2", ["größe 2"]],
])("the path %s has its steps", (path, steps) => {
  expect(parsePath(path)).toEqual(steps);
});

test.each([
  "",
  ".a",
  "a.",
  "a..b",
  "[0]",
  "a[]",
  "a[-1]",
  "a[1",
  "a]b",
  "a.[0]",
  'a"b',
  '"a',
  '"a"b',
  "a\\b",
  '""',
  "a[1]b",
])("the path %j is refused, or empty", (path) => {
  const parsed = parsePath(path);
  expect(typeof parsed === "string" || parsed.length === 0).toBe(true);
});

test("indexes, steps and __proto__ have their limits", () => {
  expect(parsePath("a[1000]")).toMatch(/over 999/);
  expect(parsePath(Array.from({ length: 33 }, () => "a").join("."))).toMatch(/over 32/);
  expect(parsePath("a.__proto__")).toMatch(/__proto__/);
});
