import type { Identifier } from "@headwater/contracts";
import type { IdentifiersRead } from "../contacts/contactIndex.ts";

/** State a record will ask for, so that a batch loads it in one round trip. A record may still ask for more. */
export interface StateReads {
  readonly identifiers: readonly Identifier[];
  /** Reading of the contact's identifiers, for the fold that follows (`Origin.read`). */
  readonly read?: IdentifiersRead | undefined;
  /** Members of the contact are read or written: its row is loaded and locked. */
  readonly members: boolean;
  readonly listName?: string | undefined;
  readonly listId?: number | undefined;
  /** Lists of a record that writes several memberships. */
  readonly listIds?: readonly number[] | undefined;
  /** The list is emptied: nobody else writes a membership of the account meanwhile. */
  readonly clearsList?: boolean | undefined;
  /** The definition of an attribute is deleted: nobody else writes a contact of the account meanwhile. */
  readonly clearsAttributes?: boolean | undefined;
  readonly orderId?: string | undefined;
  /** Orders of a write that moves many at once. */
  readonly orderIds?: readonly string[] | undefined;
  /** Carts of the contacts that are found. */
  readonly cart?: boolean | undefined;
  /** A table, and the id of the record in it. */
  readonly supplement?: { readonly key: string; readonly id: string } | undefined;
  /** Key of a table that is emptied: nobody else writes a record of the account meanwhile. */
  readonly clearsSupplement?: string | undefined;
}

/** Reads of a record that asks for nothing. */
export const noReads: StateReads = { identifiers: [], members: false };
