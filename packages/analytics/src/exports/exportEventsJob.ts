import { defineExport } from "./defineExport.ts";
import { stageEvents } from "./events/stageEvents.ts";

/** Writes activities to files. */
export const exportEventsJob = defineExport<"ExportEvents">({ jobName: "ExportEvents", stage: stageEvents });
