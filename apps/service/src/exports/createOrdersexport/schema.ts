import { z } from "zod";
import { exportMembers, timeframeMembers, watermarkMembers } from "../exportMembers.ts";

/** Read by `readExportRequest`, which reports all errors at once. */
export const body = z.looseObject({});

export const documentedBody = z.strictObject({
  ...timeframeMembers("Default: all orders."),
  ...exportMembers,
  since: watermarkMembers.since,
});

export const requestExample = { timeframe: { start: "2026-01-01", end: "2026-02-01" }, exportType: "jsonl" };
