import { defineExport } from "./defineExport.ts";
import { stageMessages } from "./messages/stageMessages.ts";

/** Writes the numbers of messages to files; few rows stand in the job itself. */
export const exportMessageAnalyticsJob = defineExport<"ExportMessageAnalytics">({
  jobName: "ExportMessageAnalytics",
  showsData: true,
  stage: stageMessages,
});
