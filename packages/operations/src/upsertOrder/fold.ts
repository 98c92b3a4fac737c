import { lastWrite, type Origin, resolveContact } from "@headwater/contracts";
import { emptyCartOfOrder } from "../cart.ts";
import { toJson } from "../json.ts";
import { applied, type Outcome, rejected, skipped, unknownContact } from "../outcome.ts";
import type { FoldState, Order } from "../state/foldState.ts";
import type { UpsertOrderRecord } from "./schema.ts";

/**
 * Writes the order's members one by one: absent = unchanged, items replace all items, a lower version never
 * overwrites. A known order moves to another contact only with `canBeUpdated`. The cart it was made of is emptied.
 */
export function fold(state: FoldState, record: UpsertOrderRecord, origin: Origin): Outcome {
  const found = resolveContact(state, record.contact, origin);
  if (found.kind === "unknown") return unknownContact("/contact/identifiers");
  if (found.kind === "rejected") return rejected(found.code, `/contact${found.path}`, found.message);
  const contact = found.contact.number;
  const { orderID, ...members } = record.order;
  const known = state.order(orderID);
  const order: Order = known ?? { orderId: orderID, contact, members: new Map() };
  const moved = known !== undefined && known.contact !== contact && record.contact.canBeUpdated === true;
  if (moved) order.contact = contact;
  const tally = writeOrder(order, members, origin);
  const visible = known === undefined || moved || tally.changed > 0;
  if (visible || tally.unchanged > 0) state.setOrder(order, visible);
  const { cartID } = record.order;
  const cartEmptied = cartID !== undefined && emptyCartOfOrder(state, contact, cartID, origin);
  if (visible || cartEmptied || found.identityChanged || found.tally.changed > 0)
    return applied(contact, found.warnings);
  return skipped(tally.superseded > 0 ? "SUPERSEDED" : "UNCHANGED", found.warnings);
}

interface OrderTally {
  changed: number;
  unchanged: number;
  superseded: number;
}

function writeOrder(order: Order, members: Readonly<Record<string, unknown>>, origin: Origin): OrderTally {
  const tally: OrderTally = { changed: 0, unchanged: 0, superseded: 0 };
  for (const [name, given] of Object.entries(members)) {
    if (given === undefined) continue;
    const written = lastWrite(order.members.get(name), toJson(given), origin.version);
    tally[written.kind]++;
    if (written.kind !== "superseded") order.members.set(name, written.member);
  }
  return tally;
}
