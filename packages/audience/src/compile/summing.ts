import type { Measure } from "../criteria.ts";
import { toDecimalText } from "../decimal.ts";
import { COMPARATOR_SQL, passes } from "./comparator.ts";
import type { Scope } from "./scope.ts";

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
