import { successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import { z } from "zod";

const CHANNELS_MAX = 64;

export const body = z.object({
  primaryKey: storableText(1_024).min(1),
  channelNames: z
    .array(storableText(1_024).min(1))
    .min(1)
    .max(CHANNELS_MAX)
    .refine((names) => new Set(names).size === names.length, { message: "names a channel twice" }),
});
export type SplitBody = z.output<typeof body>;

export const splitAnswer = successShape.extend({
  message: z.string(),
  channelsSplit: z.array(z.string()),
});

export const requestExample = { primaryKey: "customer_id:17850", channelNames: ["email"] };
export const splitExample = {
  success: true,
  message: "The channels now belong to contact 65f0c0ffee65f0c0ffee0002.",
  channelsSplit: ["email"],
};
