import type { Measure, Property, Window } from "../../criteria.ts";

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
