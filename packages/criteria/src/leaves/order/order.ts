import type { Measure, Property, Window } from "../../criteria.ts";

export interface OrderLeaf {
  readonly kind: "order";
  readonly path: string;
  readonly where: readonly Property[];
  readonly items: readonly Property[];
  /** A sum of `items.…` is one over the matching items. */
  readonly measure: Measure;
  /** `counting`: without cancelled, refunded and the like; a list names statuses in lower case. */
  readonly statuses: "counting" | "any" | readonly string[];
  readonly within?: Window;
}
