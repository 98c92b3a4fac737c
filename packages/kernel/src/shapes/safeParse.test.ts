import { expect, test } from "vitest";
import { z } from "zod";
import { safeParse } from "./safeParse.ts";

const shape = z.strictObject({
  text: z.string().min(1).max(3).optional(),
  list: z.array(z.string().max(3)).max(2).optional(),
  either: z.union([z.number(), z.string().max(3)]).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
});
const odd = () => ({ length: { toString: 0 } });

test("zod throws at an object whose length has no primitive value", () => {
  expect(() => shape.safeParse({ text: odd() })).toThrow(TypeError);
});

test.each([
  ["a text", { text: odd() }, ["text"]],
  ["an array", { list: odd() }, ["list"]],
  ["an element", { list: ["abc", odd()] }, ["list", 1]],
  ["one of two types", { either: odd() }, ["either"]],
  ["several, and one that is free to be so", { free: odd(), text: odd(), list: odd() }, ["text"]],
])(
  "such an object in the place of %s is reported as any value of a wrong type, and left as it was",
  (_name, value, path) => {
    const before = JSON.stringify(value);
    const { success, error } = safeParse(shape, value);
    expect(success).toBe(false);
    expect(error?.issues[0]?.path).toEqual(path);
    expect(JSON.stringify(value)).toBe(before);
  },
);

test("a value of a right shape keeps what its free members hold", () => {
  expect(safeParse(shape, { text: "abc", free: odd() }).data).toEqual({ text: "abc", free: odd() });
});

test("a depth that would exhaust the stack is looked through", () => {
  let deep: unknown = odd();
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(safeParse(shape, { text: odd(), free: { deep } }).error?.issues.map(({ path }) => path)).toEqual([["text"]]);
});

test("an error of a rule is not taken for one of zod", () => {
  const broken = z.string().refine(() => {
    throw new RangeError("broken rule");
  });
  expect(() => safeParse(broken, "x")).toThrow("broken rule");
});
