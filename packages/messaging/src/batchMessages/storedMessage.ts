import { z } from "zod";
import { storedContentShape } from "../frozen/storedContent.ts";
import type { StoredBatchMessage } from "./batchMessages.ts";
import { type MessageSettings, settingsShape } from "./messageMembers.ts";

/** A message's content and those of its variants, as they are stored. */
const stored = z.object({
  base: storedContentShape,
  /** Contents of the enabled test's variants, in their order. */
  variants: z.array(storedContentShape),
});
export type StoredMessageContent = z.output<typeof stored>;

/** @param text JSON. */
export function readMessageContent(text: string): StoredMessageContent {
  const content: unknown = JSON.parse(text);
  return stored.parse(content);
}

export function readMessageSettings({ settings }: Pick<StoredBatchMessage, "settings">): MessageSettings {
  const input: unknown = JSON.parse(settings);
  return settingsShape.parse(input);
}

/** Returns the keys of the includes that a content names, each once. */
export function includesOfMessage(content: string | null): string[] {
  if (content === null) return [];
  const { base, variants } = readMessageContent(content);
  return [...new Set([base, ...variants].flatMap(({ includes }) => includes))].sort();
}
