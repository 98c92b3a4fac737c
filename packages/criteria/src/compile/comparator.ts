import type { Comparator, Comparison } from "../criteria.ts";

export const COMPARATOR_SQL: Readonly<Record<Comparator, string>> = {
  eq: "=",
  neq: "!=",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
};

/** Returns whether a number passes the comparison. */
export function passes(number: number, { op, value }: Comparison): boolean {
  switch (op) {
    case "eq":
      return number === value;
    case "neq":
      return number !== value;
    case "gt":
      return number > value;
    case "gte":
      return number >= value;
    case "lt":
      return number < value;
    case "lte":
      return number <= value;
  }
}
