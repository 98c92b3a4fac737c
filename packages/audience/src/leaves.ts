import type { Comparator, Comparison, FieldTarget, Property, Window } from "./criteria.ts";

/** A count of rows, or a sum over a member of them; `of` is the path of the member, as in a condition. */
export type Measure =
  | { readonly kind: "count"; readonly comparison: Comparison }
  | { readonly kind: "sum"; readonly of: readonly string[]; readonly op: Comparator; readonly value: string };

export interface EventLeaf {
  readonly kind: "event";
  readonly path: string;
  readonly actions: readonly string[];
  /** Paths begin with `properties`, `geo` or `device`. */
  readonly where: readonly Property[];
  readonly message?: MessageFilter;
  readonly measure: Measure;
  readonly within?: Window;
  /** Test only the contact's latest event of these actions. */
  readonly last: boolean;
  /** Opens and clicks of machines count, too. */
  readonly robots?: true;
}

/** The message that an event belongs to; all members that are given must hold. */
export interface MessageFilter {
  readonly id?: string;
  /** The day or hour of an automated message, as `d260131` or `h26013109`; all of it without. */
  readonly period?: string;
  readonly key?: string;
  readonly tag?: string;
  readonly channel?: string;
}

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

export interface CartLeaf {
  readonly kind: "cart";
  readonly path: string;
  /** `empty` is everybody without a cart that has lines and has not expired; with `within`, which stored criteria may have, those of them who have a cart. */
  readonly state: "nonEmpty" | "empty";
  readonly where: readonly Property[];
  /** All hold on one line. */
  readonly items: readonly Property[];
  /** Bounds the cart's last change. */
  readonly within?: Window;
}

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

export interface SampleLeaf {
  readonly kind: "sample";
  readonly path: string;
  readonly salt: string;
  /** Range in parts of the whole; `to` is excluded. */
  readonly from: number;
  readonly to: number;
  /** Parts of the whole: 100,000,000. Absent in criteria that messages and jobs stored when ranges had 10,000 of them. */
  readonly whole?: number;
}
