import type { Version } from "@headwater/contracts";
import type { Order } from "../fold/foldState.ts";
import { fromMembersDocument, toMembersDocument } from "../members/membersDocument.ts";

export interface OrderRow {
  readonly contact: number;
  /** The contact it was written for, when a merge has moved it. */
  readonly mergedFrom?: number | null | undefined;
  /** Text of `{members: [[name, value, version]…]}`. */
  readonly doc: string;
}

/** Stored form of an order's members. */
export function toOrderDocument({ members, deleted }: Order): string {
  const text = toMembersDocument(members);
  return deleted === undefined ? text : `${text.slice(0, -1)},"deleted":"${deleted}"}`;
}

/** Finds the version of the delete where `toOrderDocument` puts it: nearly no order has one. */
const DELETED = /,"deleted":"([0-9a-f]{32})"\}$/;

/** A row of ours, written by `toOrderDocument`. */
export function fromOrderRow(orderId: string, row: OrderRow): Order {
  const deleted = DELETED.exec(row.doc)?.[1];
  const order = { orderId, contact: row.contact, members: fromMembersDocument(row.doc) };
  return deleted === undefined ? order : { ...order, deleted };
}

/** The greatest version among its members, or that at which it was deleted. */
export function versionOfOrder(order: Order): Version {
  let greatest = order.deleted ?? "";
  for (const { version } of order.members.values()) if (version > greatest) greatest = version;
  return greatest;
}
