import type { Contact, Members, Side, Version } from "@headwater/contracts";
import type { CartsOfPair } from "./cartChanges.ts";
import type { CartsAndSupplementsChanges } from "./cartsAndSupplements.ts";
import type { Membership, Order } from "./foldState.ts";
import type { IdentifierMap } from "./identifierMap.ts";
import type { ListClear } from "./listChanges.ts";

export interface BeforeMerge {
  readonly survivor: string;
  readonly merged: string;
  readonly survivorCreatedAt: number;
  /** Of a merge that was asked for: the side whose attributes won. */
  readonly explicit?: Side;
}

/** One merge of the batch. `before` is both states, so that it can be shown and undone. */
export interface MergeRecord {
  readonly account: number;
  readonly survivor: Contact;
  readonly merged: Contact;
  readonly recordId: string;
  readonly version: Version;
  /** Among the merges of the batch. */
  readonly place: number;
  /** The merged contact's lists, before. */
  readonly memberships: readonly Membership[];
  /** The survivor's own standing on these lists, before. */
  readonly ownMemberships: readonly Membership[];
  /** Of both, before. */
  readonly carts: CartsOfPair;
  /** Documents of both contacts before the merge, as JSON text. */
  readonly before: BeforeMerge;
}

/** The end of a merge: the contact that was merged lives again. */
export interface SplitRecord {
  readonly account: number;
  readonly survivor: number;
  readonly merged: number;
  /** Of the merge that ends. */
  readonly mergeVersion: Version;
  readonly recordId: string;
  readonly version: Version;
  /** Lists of the survivor that are as they were before the merge, whatever version stands there. */
  readonly lists: readonly number[];
}

export interface ContactChange {
  readonly contact: Contact;
  /** New values by path, with the version of the write; null = removed. Empty when only versions moved. */
  readonly fields: Members;
  isNew: boolean;
}

export interface MembershipChange {
  readonly account: number;
  readonly membership: Membership;
  readonly visible: boolean;
  /** The version it has in the history when it is not its own: a split puts old ones back. */
  readonly toldAs?: Version | undefined;
}

/** What a batch changed, to be stored in one transaction. */
export interface BatchChanges extends CartsAndSupplementsChanges {
  readonly contacts: ReadonlyMap<number, ContactChange>;
  /** Over `LoadedRows.owners`: who is found now; null = nobody. */
  readonly owners: IdentifierMap<number | null>;
  readonly merges: readonly MergeRecord[];
  readonly splits: readonly SplitRecord[];
  readonly memberships: ReadonlyMap<string, MembershipChange>;
  /** In the order of the records. */
  readonly clears: readonly ListClear[];
  readonly orders: ReadonlyMap<string, { readonly account: number; readonly order: Order; readonly visible: boolean }>;
  readonly activityKeys: ReadonlySet<string>;
}
