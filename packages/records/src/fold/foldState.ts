import type { Version, Written } from "@headwater/contracts";
import type { CartAccess } from "../carts/cart.ts";
import type { ContactIndex } from "../contacts/contactIndex.ts";
import type { Contact } from "../contacts/model.ts";
import type { SplitRecord, StoredMerge } from "../contacts/storedMerge.ts";
import type { List, Membership } from "../lists/list.ts";
import type { SupplementAccess } from "../supplements/supplement.ts";

export type { List, Membership } from "../lists/list.ts";

/** An order's members, each with the version of its last write, and the contact it belongs to. */
export interface Order {
  readonly orderId: string;
  contact: number;
  readonly members: Map<string, Written>;
  /** It was deleted at this version: what was written up to it is gone for good. */
  deleted?: Version | undefined;
}

/** State of one account, as folds see and write it: after all earlier records of the batch. Folds return the change events of their writes. */
export interface FoldState extends ContactIndex, CartAccess, SupplementAccess {
  listByName(name: string): List | undefined;
  listById(id: number): List | undefined;
  /** Takes everybody off the list who came onto it before the version. */
  clearList(list: List, version: Version): void;
  membership(list: number, contact: number): Membership | undefined;
  /** Number of lists that the contact is on. */
  listCount(contact: number): number;
  /** Greatest id of the account's lists: nobody is on more lists. */
  greatestListId(): number;
  /** Its membership of every list it was ever put on or taken off. */
  membershipsOf(contact: number): readonly Membership[];
  setMembership(membership: Membership): void;
  order(orderId: string): Order | undefined;
  setOrder(order: Order): void;
  /** Returns whether this activity of the identity was applied before within the window; remembers nothing. */
  seenActivity(key: string): boolean;
  rememberActivity(key: string): void;
  contactByNumber(number: number): Contact;
  /** The contact is gone with all that is its own, and records up to the version do not bring it back. */
  erase(contact: Contact, version: Version): void;
  /** Merges that a contact survived, those that have ended too, the one made last first. */
  mergesOf(survivor: number): readonly StoredMerge[];
  /** The merge ends: its contact finds itself again, and so do its orders and the contacts merged into it before. */
  split(split: Omit<SplitRecord, "account">): void;
}
