import type { Version } from "@headwater/contracts";
import type { Order } from "./foldState.ts";
import type { OrderRow } from "./loaded.ts";
import { fromMembersDocument, toMembersDocument } from "./membersDocument.ts";

/** Stored form of an order's members. */
export function toOrderDocument(order: Order): string {
  return toMembersDocument(order.members);
}

/** A row of ours, written by `toOrderDocument`. */
export function fromOrderRow(orderId: string, row: OrderRow): Order {
  return { orderId, contact: row.contact, members: fromMembersDocument(row.doc) };
}

/** The greatest version among its members. */
export function versionOfOrder(order: Order): Version {
  let greatest = "";
  for (const { version } of order.members.values()) if (version > greatest) greatest = version;
  return greatest;
}
