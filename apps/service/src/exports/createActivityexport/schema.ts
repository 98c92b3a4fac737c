import { criteriaSchema } from "@headwater/audience";
import { z } from "zod";
import { exportMembers, flag, timeframeMembers, watermarkMembers } from "../exportMembers.ts";

export const ADDITIONAL_FIELDS = ["geo", "device", "receivedAt", "place"] as const;

/** Columns of activities; `properties.…`, `device.…` and `contact.…` name members of theirs. */
export const COLUMN_NAMES = [
  "id",
  "action",
  "cID",
  "email",
  "time",
  "receivedAt",
  "mcID",
  "bmID",
  "UID",
  "properties",
  "geo",
  "geo.city",
  "geo.country",
  "geo.geoLoc",
  "geo.geoLoc.lat",
  "geo.geoLoc.lon",
  "device",
  "place",
] as const;

/** Read by `readExportRequest`, which reports all errors at once. */
export const body = z.looseObject({});

export const documentedBody = z.strictObject({
  ...timeframeMembers(
    "Required, here or as `selected_timeframe_start` and `selected_timeframe_end`, unless `since` is given.",
  ),
  selected_action_name: z.string().describe("Default: all; `custom`: all that are not reserved.").nullish(),
  selected_action_names: z.array(z.string()).nullish(),
  selected_message_type: z.string().nullish(),
  selected_message_id: z.string().nullish(),
  selected_contact: z.string().describe("The key of a contact.").nullish(),
  selected_audience_key: z.string().describe("The saved audience whose activities are exported.").nullish(),
  selected_channel: z.string().nullish(),
  criteria: criteriaSchema.nullish(),
  showAllProperties: flag

    .describe(
      "Whole `properties`; in csv also a column for each of the 500 commonest. Default true, in csv and txt false.",
    )
    .nullish(),
  additionalJsonlFields: z.array(z.enum(ADDITIONAL_FIELDS)).nullish(),
  contactFields: z.array(z.string()).describe("Columns `contact.…` of the live contact's values of now.").nullish(),
  sort: z.literal("time").describe("Default: each contact's by time.").nullish(),
  ...exportMembers,
  ...watermarkMembers,
});

export const requestExample = {
  timeframe: { start: "2026-01-01", end: "2026-02-01" },
  selected_action_names: ["browse", "purchase"],
  exportType: "jsonl",
};
