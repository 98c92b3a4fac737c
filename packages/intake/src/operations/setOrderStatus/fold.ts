import type { Origin } from "@headwater/records/contacts/contactIndex";
import { resolveContact } from "@headwater/records/contacts/resolveContact";
import type { FoldEvent } from "@headwater/records/fold/foldEvents";
import type { FoldState, Order } from "@headwater/records/fold/foldState";
import { applied, type Folded, folded, skipped, unresolved } from "@headwater/records/fold/outcome";
import { isDeletedOrder, writeOrderMembers } from "@headwater/records/orders/orderWrite";
import type { SetOrderStatusRecord } from "./schema.ts";

/**
 * The last write wins, as for every member of an order. A status that comes before its order is kept: the order's own
 * members join it when they come. An order that was deleted stays so.
 */
export function fold(state: FoldState, record: SetOrderStatusRecord, origin: Origin): Folded {
  const found = resolveContact(state, record.contact, origin);
  if (found.kind !== "contact") return folded(unresolved(found, "/contact"));
  const contact = found.contact.number;
  const { orderID, status } = record.order;
  const order: Order = state.order(orderID) ?? { orderId: orderID, contact, members: new Map() };
  const tally = writeOrderMembers(order, { status }, origin);
  if (tally.superseded === 0) state.setOrder(order);
  const isVisible = tally.superseded === 0 && tally.changed > 0 && !isDeletedOrder(order);
  const written: FoldEvent[] = isVisible ? [{ kind: "order", order }] : [];
  const events = [...found.changeEvents, ...written];
  if (tally.changed > 0 || found.identityChanged) return folded(applied(contact, found.warnings), events);
  return folded(skipped(tally.superseded > 0 ? "SUPERSEDED" : "UNCHANGED", found.warnings), events);
}
