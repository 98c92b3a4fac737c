import type { Points } from "../trend/points.ts";
import type { Binder } from "./binder.ts";
import type { Clock } from "./clock.ts";
import type { SetAlgebra } from "./selection.ts";

/** Scope that every leaf of one query is compiled with. */
export interface Scope {
  readonly bind: Binder;
  readonly clock: Clock;
  /** The account's number, bound. */
  readonly account: string;
  readonly currency: string;
  /** Some contacts of the account were merged: contact numbers are resolved to their survivors. */
  readonly hasMerges: boolean;
  /** Set for the state at a past moment by the versions of its writes: leaves read the history up to then. */
  readonly historyAt?: string;
  /** Set for a trend: leaves answer at which of these points they hold, in place of whether. */
  readonly points?: Points;
  /** Combines sets of the query. */
  readonly sets: SetAlgebra;
  /**
   * ` AND …`: what narrows the rows of one contact each to the numbers that are checked; empty when all are. Sets of a query
   * may go beyond it, and none may fall short.
   */
  readonly within: string;
  /** Adds a set of contact numbers to the query and answers its name; `sql` selects one `groupBitmapState`. */
  addSet(sql: string): string;
  /** Adds details of a node to the query's answer: orders by their currency, as two arrays. */
  addNote(path: string, code: NoteCode, sql: string): void;
  /** Has the query group rows in the order of their table where it can: half the work for a whole history, more for a few rows of it. */
  groupInOrder(): void;
}

/** Code of a note that an explain shows next to the counts: orders that were left out because of their currency. */
export type NoteCode = "ORDERS_IN_OTHER_CURRENCIES";
