import { canonicalChannel } from "@headwater/contracts";
import { z } from "zod";
import { storableText } from "../../paging/query.ts";

export const params = z.strictObject({
  primary_key: z.string().min(1),
  channel: storableText(128).min(1).overwrite(canonicalChannel),
});
export const query = z.strictObject({ mcID: storableText(512).optional() });
