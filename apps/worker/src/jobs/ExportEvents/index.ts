import { defineExport } from "../../exports/defineExport.ts";
import { stageEvents } from "../../exports/events/stageEvents.ts";

/** Writes activities to files. */
export const exportEventsJob = defineExport<"ExportEvents">({ jobName: "ExportEvents", stage: stageEvents });
