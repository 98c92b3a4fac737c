import { logCategories, logLevels } from "@headwater/contracts";
import { z } from "zod";
import { exportMembers, timeframeMembers } from "../exportMembers.ts";

/** Read by `readExportRequest`, which reports all errors at once. */
export const body = z.looseObject({});

export const documentedBody = z.strictObject({
  ...timeframeMembers("Required, here or as `selected_timeframe_start` and `selected_timeframe_end`."),
  selected_category: z.enum(logCategories).describe("Default: all.").nullish(),
  selected_level: z.enum(logLevels).describe("This level and graver ones. Default: `Debug`, which is all.").nullish(),
  ...exportMembers,
});

export const requestExample = {
  timeframe: { start: "2026-01-01", end: "2026-02-01" },
  selected_level: "Warning",
  exportType: "jsonl",
};
