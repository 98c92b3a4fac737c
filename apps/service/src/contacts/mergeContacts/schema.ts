import { contactMergeOptions } from "@headwater/contracts";
import { z } from "zod";
import { storableText } from "../../paging/query.ts";

const PRIMARY_KEY_CHARACTERS_MAX = 1_100;
const primaryKey = storableText(PRIMARY_KEY_CHARACTERS_MAX).min(1);

export const body = z.object({
  sourceContact: primaryKey,
  destinationContact: primaryKey,
  options: contactMergeOptions,
});
export type MergeBody = z.output<typeof body>;

export const mergeAnswer = z.strictObject({ jobId: z.string(), jobID: z.string(), message: z.string() });
export const mergeExample = {
  jobId: "65f0c0ffee65f0c0ffee0001",
  jobID: "65f0c0ffee65f0c0ffee0001",
  message: "The contacts are merged when the job is done.",
};
export const requestExample = {
  sourceContact: "customer_id:17851",
  destinationContact: "customer_id:17850",
  options: { email_channels: "destinationContact", attributes: "sourceContact", orders: "merge", cart: "lastModified" },
};
