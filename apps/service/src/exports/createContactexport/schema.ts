import { criteriaSchema } from "@headwater/audience";
import { z } from "zod";
import { exportMembers, watermarkMembers } from "../exportMembers.ts";

/** Read by `readExportRequest`, which reports all errors at once. */
export const body = z.looseObject({});

export const documentedBody = z.strictObject({
  fields: z
    .union([z.literal("*"), z.array(z.string())])
    .describe(
      "Required. Paths as criteria name them, bare attribute keys, `lists`, `lists.<name>`, `listJoinDate.<name>`; or `*`.",
    ),
  lists: z
    .array(z.union([z.string(), z.int()]))
    .describe("A membership column for each, by name or id.")
    .nullish(),
  "audience-key": z.string().describe("The saved audience that is exported. Default: everybody.").nullish(),
  criteria: criteriaSchema.nullish(),
  asOf: z.string().describe("Exports who it was at a past moment, with their values then.").nullish(),
  ...exportMembers,
  ...watermarkMembers,
});

export const requestExample = {
  fields: ["cID", "channels.email.address", "createdAt"],
  exportType: "csv",
  compress: true,
};
