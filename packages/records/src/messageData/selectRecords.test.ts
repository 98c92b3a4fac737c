import type { MessageDataCondition, MessageDataSource } from "@headwater/contracts";
import { runAtOnce } from "@headwater/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ComparisonBudget } from "./comparisonBudget.ts";
import { selectRecords } from "./selectRecords.ts";

type Selection = Pick<MessageDataSource, "where" | "sort" | "limit">;
const budgetOf = (own: number) => new ComparisonBudget({ charactersLeft: 0 }, { own, shared: 0 });
const select = <Record extends object>(records: readonly Record[], source: Selection, budget = budgetOf(1_000_000)) =>
  runAtOnce(selectRecords(records, source, budget));

const RECORDS = [
  { id: "a", price: 12.5, tags: ["new", "red"], at: "2026-01-02T00:00:00.000Z", address: { city: "Bern" }, "x.y": 1 },
  { id: "b", price: "9.90", tags: [], at: "2026-01-01T00:00:00.000Z", address: { city: "Basel" } },
  { id: "c", price: null, at: "", address: "none" },
];
const idsWhere = (...where: MessageDataCondition[]) => select(RECORDS, { where, limit: 50 }).map(({ id }) => id);

describe("conditions", () => {
  test.each<[MessageDataCondition, string]>([
    [{ field: "price", op: "eq", value: 9.9 }, "b"],
    [{ field: "price", op: "neq", value: 9.9 }, "ac"],
    [{ field: "price", op: "gt", value: 9.9 }, "a"],
    [{ field: "price", op: "gte", value: "9.9" }, "ab"],
    [{ field: "price", op: "lt", value: 12.5 }, "b"],
    [{ field: "price", op: "lte", value: 12.5 }, "ab"],
    [{ field: "id", op: "in", value: ["a", "c", "z"] }, "ac"],
    [{ field: "id", op: "notIn", value: ["a", "c"] }, "b"],
    [{ field: "tags", op: "contains", value: "red" }, "a"],
    [{ field: "tags", op: "notContains", value: "red" }, "bc"],
    [{ field: "address.city", op: "contains", value: "Ba" }, "b"],
    [{ field: "at", op: "gt", value: "2026-01-01T12:00:00Z" }, "a"],
    [{ field: "price", op: "exists" }, "ab"],
    [{ field: "at", op: "notExists" }, "c"],
    [{ field: "x.y", op: "eq", value: 1 }, "a"],
    [{ field: "constructor.name", op: "exists" }, ""],
    [{ field: "__proto__", op: "exists" }, ""],
  ])("%o hold for %s", (condition, ids) => {
    expect(idsWhere(condition).join("")).toBe(ids);
  });

  test("hold together", () => {
    expect(idsWhere({ field: "price", op: "exists" }, { field: "id", op: "neq", value: "a" })).toEqual(["b"]);
  });
});

test("records stand in the order asked for, without a value last, and no more than asked for", () => {
  const ids = (sort: string, limit = 50) =>
    select(RECORDS, { sort, limit })
      .map(({ id }) => id)
      .join("");
  expect([ids("price"), ids("-price"), ids("-at"), ids("address.city"), ids("nothing"), ids("-id", 2)]).toEqual([
    ...["bac", "abc", "abc", "bac", "abc", "cb"],
  ]);
});

test("an order is total whatever the values are", () => {
  const scalar = fc.oneof(fc.integer(), fc.constantFrom("1", "10", "9", "a", "", "b"), fc.boolean(), fc.constant(null));
  fc.assert(
    fc.property(fc.array(fc.record({ v: scalar })), (records) => {
      const once = select(records, { sort: "v", limit: 50 });
      expect(select(once, { sort: "v", limit: 50 })).toEqual(once);
      expect(
        select(records.toReversed(), { sort: "v", limit: 50 })
          .map(({ v }) => String(v))
          .toSorted(),
      ).toEqual(once.map(({ v }) => String(v)).toSorted());
    }),
  );
});

test("records whose conditions cost more than their budget exhaust it instead of holding the event loop", () => {
  const records = Array.from({ length: 200 }, () => ({ text: "x".repeat(5_000) }));
  const where = Array.from({ length: 20 }, () => ({
    field: "text",
    op: "notContains" as const,
    value: "y".repeat(500),
  }));
  const [small, large] = [budgetOf(1_000_000), budgetOf(100_000_000)];
  select(records, { where, limit: 50 }, small);
  expect(small.isExhausted).toBe(true);
  expect(select(records, { where, limit: 50 }, large).length).toBe(50);
  expect(large.isExhausted).toBe(false);
});
