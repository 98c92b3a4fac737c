import type { ContactWrite } from "@headwater/contracts";
import { emptyCartOfOrder } from "@headwater/records/carts/changeCart";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import { resolveContact } from "@headwater/records/contacts/resolveContact";
import type { FoldEvent } from "@headwater/records/fold/foldEvents";
import type { FoldState, Order } from "@headwater/records/fold/foldState";
import { type Folded, folded, skipped, unresolved, upserted } from "@headwater/records/fold/outcome";
import { isDeletedOrder, writeOrderMembers } from "@headwater/records/orders/orderWrite";

/** A record of an order: its contact, and its members by name. */
export interface OrderRecord {
  readonly contact: ContactWrite;
  readonly order: { readonly orderID: string; readonly cartID?: string | null | undefined } & Readonly<
    Record<string, unknown>
  >;
  /** Names of the members that it removes. */
  readonly removed?: readonly string[] | undefined;
}

export function nullsOf(names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/**
 * Writes the order's members one by one: absent = unchanged, items replace all items, a lower version never
 * overwrites. A known order moves to another contact only with `canBeUpdated`; else it stays, with a warning. The cart it was made of is
 * emptied. A deleted order is made again by a later record, and by none that was written before.
 */
export function foldOrder(state: FoldState, record: OrderRecord, origin: Origin): Folded {
  const found = resolveContact(state, record.contact, origin);
  if (found.kind !== "contact") return folded(unresolved(found, "/contact", record.contact));
  const contact = found.contact.number;
  const { orderID, ...members } = record.order;
  const known = state.order(orderID);
  const order: Order = known ?? { orderId: orderID, contact, members: new Map() };
  const wasDeleted = isDeletedOrder(order);
  const isAnothers = known !== undefined && !wasDeleted && known.contact !== contact;
  const moved = isAnothers && record.contact.canBeUpdated === true;
  if (moved) order.contact = contact;
  const warnings = isAnothers && !moved ? new Set(found.warnings).add("UPDATE_NOT_ALLOWED") : found.warnings;
  const written = record.removed === undefined ? members : { ...members, ...nullsOf(record.removed) };
  const tally = writeOrderMembers(order, written, origin);
  if (wasDeleted && !isDeletedOrder(order)) order.contact = contact;
  const visible = known === undefined || moved || tally.changed > 0;
  if (visible || tally.unchanged > 0) state.setOrder(order);
  const changed: FoldEvent[] = visible ? [{ kind: "order", order }] : [];
  const emptied = emptyCartOfOrder(state, contact, record.order.cartID, origin);
  const events = [...found.changeEvents, ...changed, ...emptied];
  if (visible || emptied.length > 0 || found.identityChanged || found.tally.changed > 0)
    return folded(upserted(contact, known === undefined || wasDeleted, warnings), events);
  return folded(skipped(tally.superseded > 0 ? "SUPERSEDED" : "UNCHANGED", warnings), events);
}
