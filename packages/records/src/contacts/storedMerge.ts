import type { Version } from "@headwater/contracts";
import type { Cart } from "../carts/cart.ts";
import type { Membership } from "../lists/list.ts";
import type { Side } from "./contactIndex.ts";
import type { Contact } from "./model.ts";

/** The carts of two contacts that become one. */
export interface CartsOfPair {
  readonly survivor?: Cart;
  readonly merged?: Cart;
}

export interface BeforeMerge {
  readonly survivor: string;
  readonly merged: string;
  readonly survivorCreatedAt: number;
  /** Side whose attributes won, in an explicit merge. */
  readonly explicit?: Side;
}

/** One merge of the batch. `before` is both states, so that it can be shown and undone. */
export interface MergeRecord {
  readonly account: number;
  readonly survivor: Contact;
  readonly merged: Contact;
  readonly recordId: string;
  readonly version: Version;
  /** Position among the merges of the batch. */
  readonly place: number;
  /** The merged contact's lists, before. */
  readonly memberships: readonly Membership[];
  /** The survivor's own memberships of these lists, before the merge. */
  readonly ownMemberships: readonly Membership[];
  /** Carts of both, before. */
  readonly carts: CartsOfPair;
  /** Documents of both contacts before the merge, as JSON text. */
  readonly before: BeforeMerge;
}

/** The end of a merge: the contact that was merged lives again. */
export interface SplitRecord {
  readonly account: number;
  readonly survivor: number;
  readonly merged: number;
  /** Version of the merge that ends. */
  readonly mergeVersion: Version;
  readonly recordId: string;
  readonly version: Version;
  /** Lists of the survivor that are as they were before the merge, whatever version stands there. */
  readonly lists: readonly number[];
}

/** A merge as it is stored. */
export interface MergeRow {
  readonly survivor: number;
  readonly merged: number;
  readonly version: Version;
  readonly byRecord: string;
  /** Version of the write that ended it; null while it stands. */
  readonly undoneVersion: Version | null;
  /** Text of the document. */
  readonly before: string;
}

/** A merge that was stored, with the states before it. */
export interface StoredMerge extends Omit<MergeRow, "before"> {
  readonly place: number;
  readonly before: {
    readonly survivor: Contact;
    readonly merged: Contact;
    readonly explicit: Side | undefined;
    readonly memberships: readonly Membership[];
    readonly ownMemberships: readonly Membership[];
    readonly carts: CartsOfPair;
  };
}
