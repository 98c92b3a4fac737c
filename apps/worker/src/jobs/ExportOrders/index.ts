import { defineExport } from "../../exports/defineExport.ts";
import { stageOrders } from "../../exports/orders/stageOrders.ts";

/** Writes orders to files. */
export const exportOrdersJob = defineExport<"ExportOrders">({ jobName: "ExportOrders", stage: stageOrders });
