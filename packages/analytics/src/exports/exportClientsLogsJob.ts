import { defineExport } from "./defineExport.ts";
import { stageLog } from "./log/stageLog.ts";

/** Writes an account's log to files: read from Postgres page by page, as a copy in ClickHouse would be one more thing to erase. */
export const exportLogJob = defineExport<"ExportClientsLogs">({ jobName: "ExportClientsLogs", stage: stageLog });
