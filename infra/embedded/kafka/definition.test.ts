import { expect, test } from "vitest";
import { newClusterId } from "./definition.ts";

test("a cluster id never begins with a dash, which Kafka's tools would take for an option", () => {
  const draws = [Buffer.alloc(16, 0xfb), Buffer.alloc(16, 0xf8), Buffer.alloc(16, 1)];
  expect(draws[0]?.toString("base64url")).toMatch(/^-/);
  expect(newClusterId(() => draws.shift() ?? Buffer.alloc(16))).toBe(Buffer.alloc(16, 1).toString("base64url"));
  expect(newClusterId()).toMatch(/^[\w][\w-]{21}$/);
});
