import { expect, test } from "vitest";
import { nestDotted } from "./nestDotted.ts";

test("dotted keys are nested, keys of digits are kept", () => {
  expect(nestDotted({ "a.b": 1, "a.c": 2, "7": "x" })).toEqual({ a: { b: 1, c: 2 }, "7": "x" });
});

test("a dotted key that something stands in the way of stays as it came", () => {
  expect(nestDotted({ a: 1, "a.b": 2 })).toEqual({ a: 1, "a.b": 2 });
});

test("names of the prototype are names like any other", () => {
  const nested = nestDotted({ "constructor.name": 1, plain: 2 });
  expect(nested).toEqual({ constructor: { name: 1 }, plain: 2 });
});
