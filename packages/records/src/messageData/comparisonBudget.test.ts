import type { MessageDataCondition } from "@headwater/contracts";
import { expect, test } from "vitest";
import { ComparisonBudget } from "./comparisonBudget.ts";
import { fitsConditions } from "./selectRecords.ts";

test("characters come from the record's own first, then from the pot, up to the record's share of it", () => {
  const pot = { charactersLeft: 100 };
  const budget = new ComparisonBudget(pot, { own: 10, shared: 50 });
  expect([budget.spend(8), pot.charactersLeft]).toEqual([true, 100]);
  expect([budget.spend(20), pot.charactersLeft]).toEqual([true, 82]);
  expect([budget.spend(33), budget.isExhausted, pot.charactersLeft]).toEqual([false, true, 82]);
  expect(budget.spend(1)).toBe(false);
});

test("an empty pot leaves each record its own characters", () => {
  const pot = { charactersLeft: 5 };
  const budgetOf = () => new ComparisonBudget(pot, { own: 10, shared: 50 });
  expect([budgetOf().spend(15), budgetOf().spend(10), budgetOf().spend(11)]).toEqual([true, true, false]);
});

test("a condition past the budget does not hold, a negative one neither", () => {
  const record = { text: "x".repeat(5_000), tags: Array.from({ length: 1_000 }, () => "y") };
  const conditions: readonly MessageDataCondition[] = [
    { field: "text", op: "contains", value: "x" },
    { field: "text", op: "notContains", value: "z" },
    { field: "tags", op: "contains", value: "y" },
    { field: "tags", op: "notContains", value: "z" },
  ];
  for (const condition of conditions) {
    const of = (own: number) => new ComparisonBudget({ charactersLeft: 0 }, { own, shared: 0 });
    expect([condition.op, fitsConditions(record, [condition], of(30_000))]).toEqual([condition.op, true]);
    const small = of(4_000);
    expect([fitsConditions(record, [condition], small), small.isExhausted]).toEqual([false, true]);
  }
});
