import { timeOfVersion, type Version, type Written } from "@headwater/contracts";
import type { Cart } from "../carts/cart.ts";
import type { Contact } from "../contacts/model.ts";
import { Members } from "../members/members.ts";
import type { SupplementRecord } from "../supplements/supplement.ts";
import type { Membership, Order } from "./foldState.ts";

/**
 * A change that a fold made and that others can see. The unit of work joins those of a batch to the events of the change topics; what a
 * fold writes without an event is stored and not emitted. Merges, splits, clears and erasures need none: the state emits what they change.
 */
export type FoldEvent =
  | ContactChanged
  | MembershipChanged
  | CartChanged
  | SupplementRecordChanged
  | SuppressionChanged
  | { readonly kind: "order"; readonly order: Order };

export interface ContactChanged {
  readonly kind: "contact";
  readonly contact: Contact;
  /** New values by path, with the version of the write; null = removed. */
  readonly fields: Members;
}

export interface MembershipChanged {
  readonly kind: "membership";
  readonly membership: Membership;
  /** Its version in the history when that is not its own: a split puts old ones back. */
  readonly emittedAs?: Version;
}

export interface CartChanged {
  readonly kind: "cart";
  readonly cart: Cart;
  /** Its version in the history when that is not its own. */
  readonly emittedAs?: Version;
}

export interface SupplementRecordChanged {
  readonly kind: "supplementRecord";
  readonly record: SupplementRecord;
}

/** Suppression of an address that begins or ends: kept next to the contacts, by a hash that outlives them. */
export interface SuppressionChanged {
  readonly kind: "suppression";
  readonly channel: string;
  /** Address in canonical form. */
  readonly address: string;
  /** `resubscribed` lifts what held for promotional messages only. */
  readonly because: "hard-bounce" | "complaint" | "resubscribed";
  readonly version: Version;
}

/** A fold's result holds the events of all that it changed. */
export interface FoldResult {
  readonly changeEvents: readonly FoldEvent[];
}

export const noChangeEvents: readonly FoldEvent[] = [];

/** Adds to the events that a member of the contact has a new value, and moves the contact's version and last change. */
export function memberChanged(events: FoldEvent[], contact: Contact, path: string, written: Written): void {
  fieldsOf(events, contact).set(path, written);
  contact.modifiedAt = Math.max(contact.modifiedAt, timeOfVersion(written.version));
  if (written.version > contact.version) contact.version = written.version;
}

/** A record changes most members of one contact one after the other: they are one event. */
function fieldsOf(events: FoldEvent[], contact: Contact): Members {
  const last = events[events.length - 1];
  if (last?.kind === "contact" && last.contact === contact) return last.fields;
  const fields = new Members();
  events.push({ kind: "contact", contact, fields });
  return fields;
}
