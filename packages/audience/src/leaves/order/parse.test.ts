import { expect, test } from "vitest";
import { context } from "../../parse/exampleAccount.ts";
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
