import { expect, test } from "vitest";
import { jsonPatch } from "./deadLetters.ts";

test("a patch whose value holds a number that no double holds is refused at the number", () => {
  const patch = JSON.parse('[{"op": "replace", "path": "/attributes", "value": {"a": [1, -1e999]}}]');
  const { error } = jsonPatch.safeParse(patch);
  expect(error?.issues).toMatchObject([{ path: [0, "value", "a", "1"], params: { code: "bad_value" } }]);
  expect(jsonPatch.safeParse([{ op: "add", path: "/attributes/n", value: 1e308 }]).success).toBe(true);
});
