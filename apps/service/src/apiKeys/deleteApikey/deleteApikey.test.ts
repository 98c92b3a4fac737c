import { expect, test } from "vitest";
import { params } from "./schema.ts";

test("an id is short text that a store can be asked for", () => {
  expect(params.safeParse({ id: "65f0c0ffee65f0c0ffee0001" }).success).toBe(true);
  expect(params.safeParse({ id: "x".repeat(65) }).success).toBe(false);
  expect(params.safeParse({ id: "\u0000" }).success).toBe(false);
});
