/** Parsed audience criteria: what `parseCriteria` returns and `compileCriteria` takes. */
export type CriteriaNode = LogicNode | Leaf;

export interface LogicNode {
  readonly kind: "and" | "or" | "not";
  /** JSON pointer of the node in the criteria object; "" is the root. */
  readonly path: string;
  /** `not` has exactly one. */
  readonly nodes: readonly CriteriaNode[];
  readonly exclude?: CriteriaNode;
}

/** A rule about contacts. Its definition in the table of leaves knows the other members that its `kind` has. */
export interface Leaf {
  readonly kind: string;
  readonly path: string;
}

export function isLogic(node: CriteriaNode): node is LogicNode {
  return node.kind === "and" || node.kind === "or" || node.kind === "not";
}

/** A condition on one member of an event, an order, an order's item, a cart, a cart's line or a supplement record. */
export interface Property {
  readonly segments: readonly string[];
  readonly condition: Condition;
}

/** `negated` conditions are true where the value is missing: they are the complement of their test. */
export interface Condition {
  readonly negated: boolean;
  readonly test: Test;
}

export type Test =
  | { readonly kind: "exists" }
  | { readonly kind: "textIn"; readonly values: readonly string[]; readonly ignoreCase: boolean }
  | {
      readonly kind: "textMatch";
      readonly match: "contains" | "startsWith" | "endsWith" | "domain" | "regex";
      readonly value: string;
      readonly ignoreCase: boolean;
    }
  /** A free value: an element of it when it is an array, else a part of its text. */
  | { readonly kind: "containsFree"; readonly value: string; readonly ignoreCase: boolean }
  | { readonly kind: "number"; readonly op: Comparator; readonly value: number }
  | { readonly kind: "numberIn"; readonly values: readonly number[] }
  | { readonly kind: "numberBetween"; readonly low: number; readonly high: number }
  | DateTest
  | {
      readonly kind: "elements";
      readonly match: "any" | "all";
      readonly values: readonly string[];
      readonly ignoreCase: boolean;
    }
  | { readonly kind: "length"; readonly op: "eq" | "gt" | "lt"; readonly value: number }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "distance"; readonly lat: number; readonly lon: number; readonly metres: number };

export type DateTest =
  | { readonly kind: "day"; readonly moment: Moment | "today" }
  | { readonly kind: "before" | "after"; readonly moment: Moment }
  | { readonly kind: "momentsBetween"; readonly low: Moment; readonly high: Moment }
  | { readonly kind: "inLast" | "inNext" | "anniversaryInNext" | "anniversaryInLast"; readonly span: Span };

export type Comparator = "eq" | "neq" | "gt" | "gte" | "lt" | "lte";

export interface Comparison {
  readonly op: Comparator;
  readonly value: number;
}

export type Unit = "minute" | "hour" | "day" | "week" | "month" | "year";

export interface Span {
  readonly n: number;
  readonly unit: Unit;
}

export type Window =
  | { readonly kind: "last" | "next"; readonly span: Span }
  | { readonly kind: "range"; readonly from?: Moment; readonly to?: Moment }
  | { readonly kind: "between"; readonly older: Span; readonly newer: Span };

/** A point in time as it was written: a date alone is midnight in the zone of the count, an instant is UTC milliseconds. */
export type Moment =
  | { readonly kind: "date"; readonly date: string }
  | { readonly kind: "instant"; readonly milliseconds: number };

export type FieldType = "auto" | "string" | "number" | "date" | "array" | "boolean" | "geo";

/** A count of rows, or a sum over a member of them; `of` is the path of the member, as in a condition. */
export type Measure =
  | { readonly kind: "count"; readonly comparison: Comparison }
  | { readonly kind: "sum"; readonly of: readonly string[]; readonly op: Comparator; readonly value: string };
