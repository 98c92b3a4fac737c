import { z } from "zod";
import { messageShape } from "../messages/messageBody.ts";

const stored = z.object({
  message: messageShape,
  /** HTML to render for each contact. */
  html: z.string().optional(),
  /** Keys of the includes that the message names. */
  includes: z.array(z.string()),
});

/** A content as a template keeps it. */
export type StoredContent = z.output<typeof stored>;

/** @param text JSON. */
export function readContent(text: string): StoredContent {
  const content: unknown = JSON.parse(text);
  return stored.parse(content);
}

/** Returns the keys of the includes that contents name, each once. */
export function includesOf(...contents: readonly (string | null)[]): string[] {
  const keys = contents.flatMap((content) => (content === null ? [] : readContent(content).includes));
  return [...new Set(keys)].sort();
}
