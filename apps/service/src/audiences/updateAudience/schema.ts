import { criteriaSchema } from "@headwater/audience";
import { z } from "zod";
import { storableText } from "../../paging/query.ts";
import { audienceMembers } from "../audienceView.ts";

export const body = z.object({ ...audienceMembers, key: storableText(1_024) }).partial();
export type AudienceChanges = z.output<typeof body>;
/** The grammar, for those who write bodies. */
export const documentedBody = body.extend({ criteria: criteriaSchema.optional() });

export const requestExample = {
  name: "Opened something in 60 days",
  criteria: { event: "open", within: { last: { n: 60, unit: "day" } } },
};
