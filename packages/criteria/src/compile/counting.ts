import type { Comparison, Measure } from "../criteria.ts";
import { toDecimalText } from "../decimal.ts";
import { COMPARATOR_SQL, passes } from "./comparator.ts";
import type { Scope } from "./scope.ts";

/** Plan of how a set answers a count: contacts with at least one row, or a HAVING over each contact's rows. */
export interface CountPlan {
  readonly having: "any" | { readonly op: string; readonly negated: boolean; readonly value: number };
  /** Contacts without a row pass too: the set is that of those who fail. */
  readonly complement: boolean;
}

/** A comparison that 0 passes is the complement of the contacts that have rows and fail it. */
export function planCount({ op, value }: Comparison): CountPlan {
  const complement = passes(0, { op, value });
  const isAny = !complement && passes(1, { op, value }) && passes(2, { op, value }) && value <= 1 && op !== "lte";
  const isNone = complement && !passes(1, { op, value }) && !passes(2, { op, value });
  if (isAny || isNone) return { having: "any", complement };
  return { having: { op: COMPARATOR_SQL[op], negated: complement, value }, complement };
}

/** HAVING text of a plan over an aggregate. */
export function havingSql(aggregate: string, plan: Exclude<CountPlan["having"], "any">, value: string): string {
  const comparison = `${aggregate} ${plan.op} ${value}`;
  return plan.negated ? `NOT (${comparison})` : comparison;
}

/** A comparison as a test of a number that is above 0; contacts that have none pass when it is a complement. */
export function comparisonSql(comparison: Comparison): {
  readonly holds: (count: string) => string;
  readonly complement: boolean;
  /** One is enough. */
  readonly isAny: boolean;
} {
  const { having, complement } = planCount(comparison);
  if (having === "any") return { holds: (count) => `${count} > 0`, complement, isAny: true };
  return { holds: (count) => havingSql(count, having, String(comparison.value)), complement, isAny: false };
}

/** Compares a sum by HAVING. A comparison that 0 passes is the complement of those who fail it: whoever has no row has the sum 0. */
export function sumHaving(
  sum: string,
  { op, value }: Extract<Measure, { kind: "sum" }>,
  { bind }: Scope,
): { readonly having: string; readonly complement: boolean } {
  const complement = passes(0, { op, value: Number(toDecimalText(value)) });
  const comparison = `ifNull(${sum}, 0) ${COMPARATOR_SQL[op]} ${bind.decimal(value)}`;
  return { having: complement ? `NOT (${comparison})` : comparison, complement };
}
