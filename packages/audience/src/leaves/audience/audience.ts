import type { CriteriaNode } from "../../criteria.ts";

/** A saved audience; explains and errors know it as one line. */
export interface AudienceLeaf {
  readonly kind: "audience";
  readonly path: string;
  readonly node: CriteriaNode;
}
