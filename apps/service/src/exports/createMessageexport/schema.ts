import { z } from "zod";
import { exportMembers, flag, texts, timeframeMembers } from "../exportMembers.ts";

/** Types of messages, by the letter that stands in an `mcID`. */
export const TYPES = { all: undefined, batch: "b", automation: "a", orchestration: "o" } as const;
export const VIEW_MODES = ["by_message", "by_message_type", "as_total"] as const;
export const BASES = ["sent", "event"] as const;
export const OPERATORS = ["any", "all"] as const;

/** Read by `readExportRequest`, which reports all errors at once. */
export const body = z.looseObject({});

export const documentedBody = z.strictObject({
  ...timeframeMembers("Required, here or as `selected_timeframe_start` and `selected_timeframe_end`."),
  timeframeBasis: z
    .enum(BASES)
    .describe("`sent`, the default: sends of the timeframe with all that followed; `event`: events of the timeframe.")
    .nullish(),
  type: z.enum(["all", "batch", "automation", "orchestration"]).describe("Default `all`.").nullish(),
  selected_channel: z.string().nullish(),
  selected_message_name: z.string().nullish(),
  selected_message_tags: texts.nullish(),
  selected_message_tags_operator: z.enum(OPERATORS).describe("Default `any`.").nullish(),
  selected_orchestration_id: z.string().nullish(),
  selected_orchestration_name: z.string().nullish(),
  selected_audience_ids: texts.describe("Saved audiences by id or key.").nullish(),
  selected_audience_names: texts.nullish(),
  viewMode: z.enum(VIEW_MODES).describe("A row a message (default), a row a type, or one row.").nullish(),
  rollupAutomations: flag.describe("False: automated messages have a row a day. Default true.").nullish(),
  includeTotalsRow: flag

    .describe("A last row, its `message_id` empty, adds up the numbers of all messages. Default false.")
    .nullish(),
  ...exportMembers,
});

export const requestExample = {
  timeframe: { start: "2026-01-01", end: "2026-02-01" },
  type: "automation",
  rollupAutomations: false,
  includeTotalsRow: true,
  exportType: "csv",
};
