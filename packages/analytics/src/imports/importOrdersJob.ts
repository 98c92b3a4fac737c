import type { JobInput } from "@headwater/contracts";
import { importOrder } from "@headwater/intake/operations/importOrder/importOrder";
import type { Row } from "@headwater/jobs/sources/row";
import { defineImportJob } from "./importJob.ts";
import { type Reading, type RowRead, type RowReader, refusedRow } from "./importKind.ts";

/** Imports orders: each line is the body of an order, upserted by `orderID`. */
export const importOrdersJob = defineImportJob("ImportOrders", {
  operationOf: () => importOrder,
  decimalMembers: new Set(importOrder.decimalMembers),
  isJsonOnly: true,
  reader: orderReader,
});

/** Reads lines of JSON that say what the body of an order of `/v2` says. */
async function orderReader({ input }: Reading<JobInput<"ImportOrders">>): Promise<RowReader> {
  return { newAttributes: [], newLists: [], ignoredColumns: [], read: (row) => readOrder(row, input) };
}

function readOrder(row: Row, { canBeCreated = false, strategy }: JobInput<"ImportOrders">): RowRead {
  if (row.kind !== "object") return refusedRow("The line is not a JSON object.");
  const { cID, email, identifiers, suppressTriggers, totalComputed, ...members } = row.members;
  // What an answer marks as computed stays so: stored, it would not follow the items any more.
  const { totalAmount: _total, ...others } = members;
  const order = totalComputed === true ? others : members;
  const named = {
    ...(typeof identifiers === "object" && identifiers),
    ...(email !== undefined && email !== null && { email }),
    ...(cID !== undefined && cID !== null && { cID }),
  };
  if (Object.keys(named).length === 0) return refusedRow("Name the contact by cID, email or identifiers.", "/cID");
  const contact = { identifiers: named, ...(canBeCreated && { canBeCreated }) };
  const more = { ...(strategy && { strategy }), ...(suppressTriggers !== undefined && { suppressTriggers }) };
  return { kind: "item", item: { contact, order, ...more } };
}
