import type { Json, Version, Written } from "@headwater/contracts";
import type { Order } from "./foldState.ts";
import type { OrderRow } from "./loaded.ts";

/** Stored form of an order's members; versions stand once in `v` and are named by their place. */
export function toOrderDocument(order: Order): string {
  const versions = new Map<Version, number>();
  const members = [...order.members].map(([name, { value, version }]) => {
    if (!versions.has(version)) versions.set(version, versions.size);
    return [name, value, versions.get(version)];
  });
  return JSON.stringify({ v: [...versions.keys()], members });
}

interface OrderDocument {
  readonly v: readonly Version[];
  readonly members: readonly (readonly [string, Json, number])[];
}

/** A row of ours, written by `toOrderDocument`. */
export function fromOrderRow(orderId: string, row: OrderRow): Order {
  const document: OrderDocument = JSON.parse(row.doc);
  const members = new Map<string, Written>();
  for (const [name, value, index] of document.members) members.set(name, { value, version: document.v[index] ?? "" });
  return { orderId, contact: row.contact, members };
}

/** The greatest version among its members. */
export function versionOfOrder(order: Order): Version {
  let greatest = "";
  for (const { version } of order.members.values()) if (version > greatest) greatest = version;
  return greatest;
}
