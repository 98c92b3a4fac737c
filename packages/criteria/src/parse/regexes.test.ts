import { expect, test } from "vitest";
import { regexesOf } from "./regexes.ts";

test("regular expressions are found wherever they stand, each with its pointer", () => {
  const matches = (value: string) => ({ field: "a", op: "regex", value });
  const criteria = {
    and: [matches("^a"), { event: "open", where: [{ field: "b", op: "eq", value: "regex" }, matches("b$")] }],
    exclude: { not: { order: true, items: [matches("c")] } },
  };
  expect(regexesOf(criteria)).toEqual([
    { path: "/and/0/value", value: "^a" },
    { path: "/and/1/where/1/value", value: "b$" },
    { path: "/exclude/not/items/0/value", value: "c" },
  ]);
});
