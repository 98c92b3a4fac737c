export interface FieldLeaf {
  readonly kind: "field";
  readonly path: string;
  readonly target: FieldTarget;
  readonly condition: Condition;
}

/**
 * Place where a field's value is read: a named value of the contact, a column of the contact itself, or a member of a channel
 * that follows from several values.
 */
export type FieldTarget =
  | ({ readonly kind: "value"; readonly name: string; readonly part?: GeoPart } & ValueReading)
  | { readonly kind: "column"; readonly column: "cid" | "created_at" | "modified_at" }
  | { readonly kind: "address" | "status" | "valid"; readonly channel: string };

/** Reading of an attribute's values. */
export interface ValueReading {
  /** The declared type: values that cannot be read so are missing. Absent where none was declared. */
  readonly declared?: FieldType;
  /** Versions at which the attribute was deleted: values at or below one are gone from then on. */
  readonly clears?: readonly string[];
}

export type GeoPart = "city" | "state" | "postal_code" | "country";

export interface ListLeaf {
  readonly kind: "list";
  readonly path: string;
  readonly list: ListReference;
  readonly member: boolean;
  readonly joined?: Window;
}

export interface ListReference {
  readonly id: number;
  readonly name: string;
  /**
   * Versions (32 hex characters) at which the list was cleared: memberships at or below one are gone from then on. Of the past, only
   * the last before the moment asked for needs to be among them.
   */
  readonly clears?: readonly string[];
  /** Lists that its name meant at earlier moments of a trend, in their order. */
  readonly before?: readonly FormerList[];
}

export interface FormerList extends Pick<ListReference, "id" | "clears"> {
  /** Milliseconds since 1970, excluded. */
  readonly until: number;
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
