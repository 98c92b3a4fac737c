import { describe, expect, test } from "vitest";
import { context, errorsOf } from "../../parse/exampleAccount.ts";
import { parseCriteria } from "../../parse/parseCriteria.ts";

describe("a wrong rule about a cart is reported with its pointer and code", () => {
  test.each<[string, unknown, string[]]>([
    ["an empty cart with a window", { cart: "empty", within: { last: { n: 1, unit: "day" } } }, ["/within bad_value"]],
    ["an empty cart with conditions", { cart: "empty", where: [] }, ["/where bad_value"]],
    ["a cart of no lines", { cart: {} }, ["/cart/items bad_value"]],
    [
      "an unknown member of a cart",
      { cart: "nonEmpty", where: [{ field: "total", op: "gt", value: 1 }] },
      ["/where/0/field unknown_field"],
    ],
    [
      "an unknown member of a line",
      { cart: { items: [{ field: "size", op: "eq", value: 1 }] } },
      ["/cart/items/0/field unknown_field"],
    ],
  ])("%s", (_, rule, errors) => {
    expect(errorsOf(rule)).toEqual(errors);
  });
});

test.each<[string, unknown, string]>([
  ["a member of a cart", { cart: "nonEmpty", where: [{ field: "totalAmnt", op: "gt", value: 1 }] }, "totalAmount"],
])("%s that is unknown is reported with the nearest one", (_, rule, nearest) => {
  const parsed = parseCriteria(rule, context);
  expect(parsed.kind === "invalid" ? parsed.errors[0]?.allowed?.[0] : undefined).toBe(nearest);
});
