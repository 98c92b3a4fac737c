import { renderWarningCodes } from "@headwater/messaging";
import { z } from "zod";
import { afterQuery, storableText } from "../../paging/query.ts";

export const params = z.strictObject({ key: storableText(1_024), contactID: storableText(1_024) });
export const query = z.strictObject({
  ...afterQuery,
  experiment: storableText(128).optional().describe("Name of the experiment whose `variant` is rendered."),
  variant: storableText(128).optional().describe("Given together with `experiment`."),
});
export type RenderQuery = z.output<typeof query>;

const experiment = z.strictObject({
  name: z.string(),
  strategy: z.string(),
  variants: z.array(z.string()),
  variant: z
    .string()
    .nullable()
    .describe(
      "The variant that is rendered: the named one, else the one that the contact gets; null for the message's own content.",
    ),
});

const texts = z.record(z.string(), z.string());

export const renderedShape = z.strictObject({
  headers: texts,
  content: texts.describe("By media type."),
  experiments: z.array(experiment).describe("The enabled one."),
  warnings: z.array(
    z.strictObject({
      code: z.enum(renderWarningCodes),
      message: z.string(),
      count: z.number().int(),
    }),
  ),
  segments: z.number().int().optional().describe("Short messages that the text of an sms takes."),
});

export const renderedExample = {
  headers: { subject: "Welcome, Ada", fromEmail: "news@example.com", fromDesc: "Example shop" },
  content: {
    "text/html": "<p>Good to have you here.</p>",
    "text/plain": "Good to have you here.",
  },
  experiments: [{ name: "subject", strategy: "split", variants: ["short", "long"], variant: "long" }],
  warnings: [{ code: "no_unsubscribe_link", message: "The message has no unsubscribe link.", count: 1 }],
};
