import { defineExport } from "./defineExport.ts";
import { stageTrends } from "./trends/stageTrends.ts";

/** Writes to files how many contacts audiences had from one moment to the next. */
export const exportAudienceTrendsJob = defineExport<"ExportAudienceTrends">({
  jobName: "ExportAudienceTrends",
  showsData: true,
  stage: stageTrends,
});
