import { importOrder } from "@headwater/intake/operations/importOrder/importOrder";
import { orderReader } from "./columns/orderReader.ts";
import { defineImportJob } from "./importJob.ts";

/** Imports orders: each line is the body of an order, upserted by `orderID`. */
export const importOrdersJob = defineImportJob("ImportOrders", {
  operation: importOrder,
  decimalMembers: new Set(importOrder.decimalMembers),
  isJsonOnly: true,
  reader: orderReader,
});
