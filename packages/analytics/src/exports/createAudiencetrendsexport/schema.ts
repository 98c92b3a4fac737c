import { criteriaSchema, TREND_GRAINS } from "@headwater/criteria";
import { z } from "zod";
import { exportMembers, timeframeMembers } from "../exportMembers.ts";

/** Columns of a trend. */
export const TREND_COLUMNS = ["audience", "segment", "from", "to", "count", "entered", "left"] as const;

/** Read by `readExportRequest`, which reports all errors at once. */
export const body = z.looseObject({});

export const documentedBody = z.strictObject({
  audiences: z
    .array(z.string())
    .max(20)
    .describe("Keys of saved audiences. With neither these nor `criteria`: all that are saved, up to 100.")
    .nullish(),
  criteria: criteriaSchema.nullish(),
  ...timeframeMembers("Default: the last 90 days."),
  grain: z.enum(TREND_GRAINS).describe("Default `day`.").nullish(),
  basis: z
    .enum(["event", "recorded"])
    .describe("As of a count's `asOf`. Default `event`: today's contacts with the events before each moment.")
    .nullish(),
  eligibleFor: z
    .strictObject({ channel: z.string(), classification: z.enum(["promotional", "transactional"]) })
    .describe("Only contacts that may be mailed.")
    .nullish(),
  segmentBy: z
    .union([z.string(), z.strictObject({ lists: z.array(z.union([z.string(), z.int()])) })])
    .describe(
      "`country`, `list`, a field path, or `{lists: […]}`: rows for the 50 largest values, `(other)` and `(none)`.",
    )
    .nullish(),
  ...exportMembers,
});

export const requestExample = {
  criteria: { field: "channels.email.address", op: "exists" },
  timeframe: { start: "2026-01-01", end: "2026-02-01" },
  grain: "week",
  exportType: "csv",
};
