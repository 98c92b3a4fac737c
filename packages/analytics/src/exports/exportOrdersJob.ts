import { defineExport } from "./defineExport.ts";
import { stageOrders } from "./orders/stageOrders.ts";

/** Writes orders to files. */
export const exportOrdersJob = defineExport<"ExportOrders">({ jobName: "ExportOrders", stage: stageOrders });
