import { expect, test } from "vitest";
import { deadLetterPayload } from "./deadLetterPayload.ts";

test("a payload is its JSON, however deep it goes", () => {
  expect(deadLetterPayload({ a: [1, null] })).toBe('{"a":[1,null]}');
  const deep: unknown = JSON.parse(`${'{"a":['.repeat(20_000)}1${"]}".repeat(20_000)}`);
  expect(deadLetterPayload({ id: "x", deep })).toContain("nested too deeply");
});
