import { type MessageDataSource, messageData } from "@headwater/contracts";
import { z } from "zod";

const text = z.string().optional();

const stored = z.object({
  message: z.object({
    headers: z
      .object({ subject: text, fromEmail: text, fromDesc: text, replyEmail: z.string().nullish(), from: text })
      .optional(),
    content: z.object({ "text/html": text, "text/mjml": text, "text/plain": text, "application/json": text }),
    /** Records that are loaded before it is rendered. */
    data: messageData.optional(),
  }),
  /** HTML to render for each contact: MJML compiled, CSS inlined. */
  html: z.string().optional(),
  /** Keys of the includes that the message names. */
  includes: z.array(z.string()),
});

/** A content as messages and templates keep it. */
export type StoredContent = z.output<typeof stored>;

export const storedContentShape = stored;

/** Returns the sources of the records that a content shows. */
export function dataOf({ message }: StoredContent): readonly MessageDataSource[] {
  return message.data ?? [];
}
