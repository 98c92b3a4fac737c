import type { Condition, CriteriaNode, FieldType } from "../../criteria.ts";

export interface FieldLeaf {
  readonly kind: "field";
  readonly path: string;
  readonly target: FieldTarget;
  readonly condition: Condition;
}

export function isFieldLeaf(node: CriteriaNode): node is FieldLeaf {
  return node.kind === "field";
}

/**
 * Path where a field's value is read: a named value of the contact, a column of the contact itself, or a member of a channel
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
