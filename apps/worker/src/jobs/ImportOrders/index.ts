import { importOrder } from "@headwater/operations";
import { orderReader } from "../../imports/columns/orderReader.ts";
import { defineImportJob } from "../../imports/importJob.ts";

/** Imports orders: each line is the body of an order, upserted by `orderID`. */
export const importOrdersJob = defineImportJob("ImportOrders", {
  operation: importOrder,
  decimalMembers: new Set(importOrder.decimalMembers),
  isJsonOnly: true,
  reader: orderReader,
});
