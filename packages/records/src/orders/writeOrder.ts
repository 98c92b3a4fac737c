import { identifiersInOrder, type shapes } from "@headwater/contracts";
import { emptyCartOfOrder } from "../carts/changeCart.ts";
import type { Origin } from "../contacts/contactIndex.ts";
import { resolveContact } from "../contacts/resolveContact.ts";
import type { FoldEvent, FoldResult } from "../fold/foldEvents.ts";
import type { FoldState, Order } from "../fold/foldState.ts";
import type { StateReads } from "../fold/stateReads.ts";
import { isDeletedOrder, markOrderDeleted, writeOrderMembers } from "./orderWrite.ts";

/** A write of an order by `/v2`: absent = unchanged, null removes. */
export interface OrderRequest {
  readonly orderID: string;
  /** Contact the order belongs to. */
  readonly contact: shapes.ContactReference | undefined;
  readonly members: Readonly<Record<string, unknown>>;
}

export type OrderWritten =
  | (FoldResult & { readonly kind: "written"; readonly order: Order })
  | { readonly kind: "taken" }
  | { readonly kind: "unknownOrder" }
  | { readonly kind: "unknownContact" }
  | { readonly kind: "rejected"; readonly path: string; readonly message: string };

/** Returns the reads of the request's fold. */
export function orderReads(
  { orderID: orderId, contact, members }: OrderRequest,
  { account }: Pick<Origin, "account">,
): StateReads {
  const named = contact && identifiersInOrder(account.settings, contact.identifiers, contact.identifiersPriority);
  const identifiers = named?.kind === "ok" ? [...named.identifiers, ...(named.former ?? [])] : [];
  return { identifiers, members: identifiers.length > 0, orderId, cart: typeof members.cartID === "string" };
}

/** The order of the id as it is there: not deleted. */
export function existingOrder(state: Pick<FoldState, "order">, orderID: string): Order | undefined {
  const order = state.order(orderID);
  return order === undefined || isDeletedOrder(order) ? undefined : order;
}

/** A new order, as a record of the log would write it. A status that came before it is joined. */
export function createOrder(state: FoldState, request: OrderRequest, origin: Origin): OrderWritten {
  const known = state.order(request.orderID);
  if (known?.members.has("purchaseDate") === true) return { kind: "taken" };
  const found = findContact(state, request.contact, origin);
  if (found.kind !== "found") return found;
  const order: Order = known ?? { orderId: request.orderID, contact: found.contact, members: new Map() };
  return write(state, { ...found, order, members: request.members }, origin);
}

/** Changes the members given; with a contact the order is that contact's from now on. */
export function updateOrder(state: FoldState, request: OrderRequest, origin: Origin): OrderWritten {
  const order = existingOrder(state, request.orderID);
  if (order === undefined) return { kind: "unknownOrder" };
  if (request.contact === undefined) {
    return write(state, { order, contact: order.contact, members: request.members, changeEvents: [] }, origin);
  }
  const found = findContact(state, request.contact, origin);
  if (found.kind !== "found") return found;
  return write(state, { ...found, order, members: request.members }, origin);
}

/** Records below the version never bring it back, one above it does. */
export function deleteOrder(state: FoldState, orderID: string, { version }: Pick<Origin, "version">): OrderWritten {
  const order = existingOrder(state, orderID);
  if (order === undefined) return { kind: "unknownOrder" };
  markOrderDeleted(order, version);
  state.setOrder(order);
  return { kind: "written", order, changeEvents: [{ kind: "order", order }] };
}

interface Writing extends FoldResult {
  readonly order: Order;
  readonly contact: number;
  readonly members: OrderRequest["members"];
}

function write(
  state: FoldState,
  { order, contact, members, changeEvents: before }: Writing,
  origin: Origin,
): OrderWritten {
  const isMoved = order.contact !== contact;
  order.contact = contact;
  const tally = writeOrderMembers(order, members, origin);
  const visible = tally.changed > 0 || isMoved;
  // What only repeats the state leaves its version: a record that is older and comes later does not undo it.
  if (visible || tally.unchanged > 0) state.setOrder(order);
  const changed: FoldEvent[] = visible ? [{ kind: "order", order }] : [];
  const emptied = emptyCartOfOrder(state, contact, members.cartID, origin);
  return { kind: "written", order, changeEvents: [...before, ...changed, ...emptied] };
}

type Found =
  | (FoldResult & { readonly kind: "found"; readonly contact: number })
  | Extract<OrderWritten, { readonly kind: "unknownContact" | "rejected" }>;

function findContact(state: FoldState, reference: OrderRequest["contact"], origin: Origin): Found {
  if (reference === undefined) return { kind: "unknownContact" };
  const found = resolveContact(state, reference, origin);
  if (found.kind === "unknown") return { kind: "unknownContact" };
  if (found.kind === "rejected") return { kind: "rejected", path: found.path, message: found.message };
  if (found.kind === "undone") throw new Error("a write of /v2 does not come again");
  return { kind: "found", contact: found.contact.number, changeEvents: found.changeEvents };
}
