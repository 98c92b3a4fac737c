import { defineExport } from "../../exports/defineExport.ts";
import { stageLog } from "../../exports/log/stageLog.ts";

/** Writes an account's log to files. */
export const exportLogJob = defineExport<"ExportClientsLogs">({ jobName: "ExportClientsLogs", stage: stageLog });
