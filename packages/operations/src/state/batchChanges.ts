import type { Contact, Members, Version } from "@headwater/contracts";
import type { CartsOfPair } from "./cartChanges.ts";
import type { CartsAndSupplementsChanges } from "./cartsAndSupplements.ts";
import type { Membership, Order } from "./foldState.ts";
import type { IdentifierMap } from "./identifierMap.ts";

/** One merge of the batch. `before` is both states, so that it can be shown and undone. */
export interface MergeRecord {
  readonly account: number;
  readonly survivor: Contact;
  readonly merged: Contact;
  readonly recordId: string;
  readonly version: Version;
  /** The merged contact's lists, before. */
  readonly memberships: readonly Membership[];
  /** Of both, before. */
  readonly carts: CartsOfPair;
  /** Documents of both contacts before the merge, as JSON text. */
  readonly before: { readonly survivor: string; readonly merged: string };
}

export interface ContactChange {
  readonly contact: Contact;
  /** New values by path, with the version of the write; null = removed. Empty when only versions moved. */
  readonly fields: Members;
  isNew: boolean;
}

/** What a batch changed, to be stored in one transaction. */
export interface BatchChanges extends CartsAndSupplementsChanges {
  readonly contacts: ReadonlyMap<number, ContactChange>;
  /** Over `LoadedRows.owners`: who is found now; null = nobody. */
  readonly owners: IdentifierMap<number | null>;
  readonly merges: readonly MergeRecord[];
  readonly memberships: ReadonlyMap<
    string,
    { readonly account: number; readonly membership: Membership; readonly visible: boolean }
  >;
  readonly orders: ReadonlyMap<string, { readonly account: number; readonly order: Order; readonly visible: boolean }>;
  readonly activityKeys: ReadonlySet<string>;
}
