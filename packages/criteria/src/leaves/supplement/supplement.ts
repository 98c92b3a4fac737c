import type { Comparison, Property } from "../../criteria.ts";
import type { FieldTarget } from "../field/field.ts";

export interface SupplementLeaf {
  readonly kind: "supplement";
  readonly path: string;
  readonly table: SupplementReference;
  readonly where: readonly Property[];
  /** Left out: records belong to the contact by the table's own link. */
  readonly join?: { readonly contact: FieldTarget; readonly record: readonly string[] };
  readonly count: Comparison;
}

export interface SupplementReference {
  readonly id: number;
  readonly key: string;
  /** Records carry a contact (`contactObject`). */
  readonly isLinked: boolean;
  /** Versions at which the table was cleared, as lists have theirs. */
  readonly clears?: readonly string[];
}
