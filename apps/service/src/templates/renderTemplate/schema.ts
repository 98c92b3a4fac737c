import { z } from "zod";
import { afterQuery, storableText } from "../../paging/query.ts";

export const params = z.strictObject({ key: storableText(1_024), contactID: storableText(1_024) });
export const query = z.strictObject(afterQuery);

const texts = z.record(z.string(), z.string());

export const renderedShape = z.strictObject({
  headers: texts,
  content: texts.describe("By media type."),
  experiments: z.array(z.unknown()),
  warnings: z.array(
    z.strictObject({
      code: z.enum(["missing_value", "unknown_link", "clipped", "no_unsubscribe_link"]),
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
  experiments: [],
  warnings: [{ code: "no_unsubscribe_link", message: "The message has no unsubscribe link.", count: 1 }],
};
