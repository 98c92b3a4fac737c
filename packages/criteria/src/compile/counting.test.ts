import fc from "fast-check";
import { expect, test } from "vitest";
import { passes } from "./comparator.ts";
import { planCount } from "./counting.ts";

test("a plan answers for every number of rows what the comparison says", () => {
  const comparison = fc.record({
    op: fc.constantFrom("eq", "neq", "gt", "gte", "lt", "lte"),
    value: fc.nat(4),
  } as const);
  fc.assert(
    fc.property(comparison, fc.nat(6), (rule, rows) => {
      const { having, complement } = planCount(rule);
      const failsOrPasses = having === "any" ? true : having.negated ? !passes(rows, rule) : passes(rows, rule);
      const inSet = rows > 0 && failsOrPasses;
      expect(inSet !== complement).toBe(passes(rows, rule));
    }),
  );
});
