import { expect, test } from "vitest";
import { letterPayload, storable } from "./letterPayload.ts";

test("a payload is its JSON, however deep it goes", () => {
  expect(letterPayload({ a: [1, null] })).toBe('{"a":[1,null]}');
  const deep: unknown = JSON.parse(`${'{"a":['.repeat(20_000)}1${"]}".repeat(20_000)}`);
  expect(letterPayload({ id: "x", deep })).toContain("nested too deeply");
});

test("text that Postgres refuses is told without what it refuses", () => {
  expect(storable("a\u0000b\ud800")).toBe("a\ufffdb\ufffd");
  expect(storable("plain é")).toBe("plain é");
});
