import { defineExport } from "../../exports/defineExport.ts";
import { stageMessages } from "../../exports/messages/stageMessages.ts";

/** Writes the numbers of messages to files; few rows stand in the job itself. */
export const exportMessageAnalyticsJob = defineExport<"ExportMessageAnalytics">({
  jobName: "ExportMessageAnalytics",
  showsData: true,
  stage: stageMessages,
});
