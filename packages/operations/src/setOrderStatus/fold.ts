import { lastWrite, type Origin, resolveContact } from "@headwater/contracts";
import { applied, type Outcome, rejected, skipped, unknownContact } from "../outcome.ts";
import type { FoldState, Order } from "../state/foldState.ts";
import type { SetOrderStatusRecord } from "./schema.ts";

/**
 * The last write wins, as for every member of an order. A status that comes before its order is kept: the order's own
 * members join it when they come.
 */
export function fold(state: FoldState, record: SetOrderStatusRecord, origin: Origin): Outcome {
  const found = resolveContact(state, record.contact, origin);
  if (found.kind === "unknown") return unknownContact("/contact/identifiers");
  if (found.kind === "rejected") return rejected(found.code, `/contact${found.path}`, found.message);
  const contact = found.contact.number;
  const { orderID, status } = record.order;
  const order: Order = state.order(orderID) ?? { orderId: orderID, contact, members: new Map() };
  const written = lastWrite(order.members.get("status"), status, origin.version);
  if (written.kind !== "superseded") {
    order.members.set("status", written.member);
    state.setOrder(order, written.kind === "changed");
  }
  if (written.kind === "changed" || found.identityChanged) return applied(contact, found.warnings);
  return skipped(written.kind === "superseded" ? "SUPERSEDED" : "UNCHANGED", found.warnings);
}
