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

/** @param text JSON. */
export function readContent(text: string): StoredContent {
  const content: unknown = JSON.parse(text);
  return stored.parse(content);
}

/** Returns the sources of the records that a content shows. */
export function dataOf({ message }: StoredContent): readonly MessageDataSource[] {
  return message.data ?? [];
}

/** Returns the keys of the includes that contents name, each once. */
export function includesOf(...contents: readonly (string | null)[]): string[] {
  const keys = contents.flatMap((content) => (content === null ? [] : readContent(content).includes));
  return [...new Set(keys)].sort();
}
