import type { CriteriaNode, Window } from "../../criteria.ts";

export interface ListLeaf {
  readonly kind: "list";
  readonly path: string;
  readonly list: ListReference;
  readonly member: boolean;
  readonly joined?: Window;
}

export function isListLeaf(node: CriteriaNode): node is ListLeaf {
  return node.kind === "list";
}

export interface ListReference {
  readonly id: number;
  readonly name: string;
  /**
   * Versions (32 hex characters) at which the list was cleared: memberships at or below one are gone from then on. Of the past, only
   * the last before the instant asked for needs to be among them.
   */
  readonly clears?: readonly string[];
  /** Lists that its name meant at earlier instants of a trend, in their order. */
  readonly before?: readonly FormerList[];
}

export interface FormerList extends Pick<ListReference, "id" | "clears"> {
  /** Milliseconds since 1970, excluded. */
  readonly until: number;
}
