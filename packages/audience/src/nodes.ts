import type { FieldLeaf, ListLeaf } from "./criteria.ts";
import type { CartLeaf, EventLeaf, OrderLeaf, SampleLeaf, SupplementLeaf } from "./leaves.ts";

/** The checked form of audience criteria: what `parseCriteria` hands out and `compileCriteria` takes. */

export type CriteriaNode = LogicNode | CriteriaLeaf;
export type CriteriaLeaf =
  | FieldLeaf
  | ListLeaf
  | EventLeaf
  | OrderLeaf
  | CartLeaf
  | SupplementLeaf
  | SampleLeaf
  | AudienceLeaf;

export interface LogicNode {
  readonly kind: "and" | "or" | "not";
  /** JSON pointer of the node in the criteria object; "" is the root. */
  readonly path: string;
  /** `not` has exactly one. */
  readonly nodes: readonly CriteriaNode[];
  readonly exclude?: CriteriaNode;
}

/** A saved audience; explains and errors know it as one line. */
export interface AudienceLeaf {
  readonly kind: "audience";
  readonly path: string;
  readonly node: CriteriaNode;
}
