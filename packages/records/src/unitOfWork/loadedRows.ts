import type { Identifier, Version } from "@headwater/contracts";
import type { CartRow } from "../carts/cart.ts";
import type { AttributeClears } from "../contacts/attributeClears.ts";
import type { ContactRow } from "../contacts/contactDocument.ts";
import type { FormerHolder } from "../contacts/formerHolders.ts";
import { IdentifierMap } from "../contacts/identifierMap.ts";
import type { MergeRow } from "../contacts/storedMerge.ts";
import type { List, Membership } from "../lists/list.ts";
import type { OrderRow } from "../orders/orderDocument.ts";
import type { Supplement, SupplementRecordRow } from "../supplements/supplement.ts";

/** Rows a batch was given. A key that is there with `null` was searched for and is not stored. */
export interface LoadedRows {
  /** Number of the live contact an identifier finds. */
  readonly owners: IdentifierMap<number | null>;
  /** Values of addresses by their hashes, as records carry them; null: nobody has or had such an address. */
  readonly hashedValues: IdentifierMap<string | null>;
  /** Contacts that identifiers of `owners` found before; the live ones. */
  readonly formerHolders: IdentifierMap<readonly FormerHolder[]>;
  /** The oldest record of the batch: former holders are looked up as of then. A write of `/v2` looks up none. */
  oldest: Version | undefined;
  readonly contacts: Map<number, ContactRow>;
  /** Clears of accounts that deleted definitions of attributes, by number of the account. */
  readonly attributeClears: Map<number, AttributeClears>;
  /** Lists by `listNameKey` and `listIdKey`. */
  readonly lists: Map<string, List | null>;
  /** Greatest id of the lists of an account, by number of the account; 0 without lists. */
  readonly greatestListIds: Map<number, number>;
  /** Number of lists that a contact is on, by number of the contact. */
  readonly listCounts: Map<number, number>;
  /** Memberships by `membershipKey`. */
  readonly memberships: Map<string, Membership | null>;
  /** All memberships of a contact, for merges. */
  readonly membershipsOf: Map<number, readonly Membership[]>;
  /** Merges, those that have ended too, the latest first, by number of the survivor. */
  readonly merges: Map<number, readonly MergeRow[]>;
  /** Orders by `orderKey`. */
  readonly orders: Map<string, OrderRow | null>;
  /** Carts by number of the contact. */
  readonly carts: Map<number, CartRow | null>;
  /** Tables by `supplementKey`. */
  readonly supplements: Map<string, Supplement | null>;
  /** Records by `supplementRecordKey`. */
  readonly supplementRecords: Map<string, SupplementRecordRow | null>;
  /** Unused contact numbers, for contacts that the batch creates. */
  readonly numbers: number[];
  /** Bytes of documents that may still be loaded: a batch whose documents do not fit is applied in parts. */
  bytesLeft: number;
}

export function emptyRows(bytesLeft: number = Number.MAX_SAFE_INTEGER): LoadedRows {
  return {
    owners: new IdentifierMap(),
    hashedValues: new IdentifierMap(),
    formerHolders: new IdentifierMap(),
    oldest: undefined,
    contacts: new Map(),
    attributeClears: new Map(),
    lists: new Map(),
    greatestListIds: new Map(),
    listCounts: new Map(),
    memberships: new Map(),
    membershipsOf: new Map(),
    merges: new Map(),
    orders: new Map(),
    carts: new Map(),
    supplements: new Map(),
    supplementRecords: new Map(),
    numbers: [],
    bytesLeft,
  };
}

/** State that a fold asked for and that was not loaded. */
export type StateRead =
  | { readonly kind: "owner"; readonly account: number; readonly identifier: Identifier }
  | { readonly kind: "contact"; readonly account: number; readonly number: number }
  | { readonly kind: "membership"; readonly account: number; readonly list: number; readonly contact: number }
  | { readonly kind: "membershipsOf"; readonly account: number; readonly contact: number }
  | { readonly kind: "mergesOf"; readonly account: number; readonly survivor: number }
  | { readonly kind: "order"; readonly account: number; readonly orderId: string }
  | { readonly kind: "cart"; readonly account: number; readonly contact: number }
  | { readonly kind: "supplement"; readonly account: number; readonly key: string }
  | { readonly kind: "supplementRecord"; readonly account: number; readonly supplement: number; readonly id: string }
  | { readonly kind: "listName"; readonly account: number; readonly name: string }
  | { readonly kind: "listId"; readonly account: number; readonly id: number }
  | { readonly kind: "greatestListId"; readonly account: number }
  | { readonly kind: "listCount"; readonly account: number; readonly contact: number }
  | { readonly kind: "numbers" };

/** Thrown by a look-up that has no stand-in for what was not loaded: a contact. */
export class StateNotLoaded extends Error {
  readonly read: StateRead;
  constructor(read: StateRead) {
    super(`State was not loaded: ${read.kind}`);
    this.read = read;
  }
}

/**
 * Collects everything that the folds of one pass asked for and that was not loaded. They go on over a stand-in, as if nothing were
 * stored, so that one pass finds all that is missing; the runner then loads it, throws the pass away and folds again from the beginning.
 */
export class UnloadedReads {
  readonly reads: StateRead[] = [];

  /** Notes the read. @returns the stand-in. */
  note<StandIn>(read: StateRead, standIn: StandIn): StandIn {
    this.reads.push(read);
    return standIn;
  }

  /** Notes the read and leaves the record. */
  leave(read: StateRead): never {
    this.reads.push(read);
    throw new StateNotLoaded(read);
  }
}

export const listNameKey = (account: number, name: string): string => `${account}\nname\n${name.toLowerCase()}`;
export const listIdKey = (account: number, id: number): string => `${account}\nid\n${id}`;
/** Numbers of contacts are unique over all accounts. */
export const membershipKey = (list: number, contact: number): string => `${list}\n${contact}`;
export const orderKey = (account: number, orderId: string): string => `${account}\n${orderId}`;
export const supplementKey = (account: number, key: string): string => `${account}\n${key}`;
export const supplementRecordKey = (account: number, supplement: number, id: string): string =>
  `${account}\n${supplement}\n${id}`;
