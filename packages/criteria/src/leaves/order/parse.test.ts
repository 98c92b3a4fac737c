import { describe, expect, test } from "vitest";
import { context, errorsOf } from "../../parse/exampleAccount.ts";
import { parseCriteria } from "../../parse/parseCriteria.ts";

const counting = "counting";

test.each<[string, object, unknown]>([
  ["says nothing of a status", {}, counting],
  ["asks whether there is a status", { where: [{ field: "status", op: "exists" }] }, counting],
  ["asks whether there is none", { where: [{ field: "status", op: "notExists" }] }, counting],
  ["is about another member", { where: [{ field: "orderID", op: "eq", value: "status" }] }, counting],
  ["names a status", { where: [{ field: "status", op: "eq", value: "refunded" }] }, "any"],
  ["names a status that it leaves out", { where: [{ field: "status", op: "neq", value: "paid" }] }, "any"],
  ["names statuses beside its conditions", { status: "Paid", where: [{ field: "status", op: "exists" }] }, ["paid"]],
  ["takes all", { status: "any" }, "any"],
])("a rule about orders that %s takes those that count, or what it names", (_what, rule, statuses) => {
  expect(parseCriteria({ order: true, ...rule }, context)).toMatchObject({ criteria: { statuses } });
});

describe("a wrong rule about orders is reported with its pointer and code", () => {
  test.each<[string, unknown, string[]]>([
    [
      "a window both ways",
      { order: true, within: { next: { n: 1, unit: "day" }, last: { n: 1, unit: "day" } } },
      ["/within/next unknown_member"],
    ],
    [
      "a sum of an item's text",
      { order: true, sum: { of: "items.sku", op: "gt", value: 1 } },
      ["/sum/of type_mismatch"],
    ],
    [
      "a sum of an item's unknown member",
      { order: true, sum: { of: "items.size", op: "gt", value: 1 } },
      ["/sum/of unknown_field"],
    ],
    ["an order that is not true", { order: "yes" }, ["/order bad_value"]],
    [
      "count and sum",
      { order: true, count: { op: "gt", value: 1 }, sum: { of: "totalAmount", op: "gt", value: 1 } },
      ["/count unknown_member"],
    ],
    ["a sum of a text", { order: true, sum: { of: "status", op: "gt", value: 1 } }, ["/sum/of type_mismatch"]],
    [
      "a sum against a text",
      { order: true, sum: { of: "totalAmount", op: "gt", value: "a lot" } },
      ["/sum/value type_mismatch"],
    ],
    [
      "an unknown member of an order",
      { order: true, where: [{ field: "total", op: "gt", value: 1 }] },
      ["/where/0/field unknown_field"],
    ],
    [
      "an unknown member of an item",
      { order: true, items: [{ field: "color", op: "eq", value: "a" }] },
      ["/items/0/field unknown_field"],
    ],
  ])("%s", (_, rule, errors) => {
    expect(errorsOf(rule)).toEqual(errors);
  });
});

test("a field that orders have not is answered with the nearest ones, or with all where none is near", () => {
  const allowed = (name: string) => {
    const parsed = parseCriteria({ order: true, where: [{ field: name, op: "exists" }] }, context);
    return parsed.kind === "invalid" ? parsed.errors[0]?.allowed : undefined;
  };
  expect(allowed("totalAmont")?.[0]).toBe("totalAmount");
  expect(allowed("total")).toEqual(expect.arrayContaining(["totalAmount", "purchaseDate", "shippingAddress.state"]));
});
