import { expect, test } from "vitest";
import { letterPayload } from "./letterPayload.ts";

test("a payload is its JSON, however deep it goes", () => {
  expect(letterPayload({ a: [1, null] })).toBe('{"a":[1,null]}');
  const deep: unknown = JSON.parse(`${'{"a":['.repeat(20_000)}1${"]}".repeat(20_000)}`);
  expect(letterPayload({ id: "x", deep })).toContain("nested too deeply");
});
