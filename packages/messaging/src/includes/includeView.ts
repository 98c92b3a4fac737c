import { successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import { contentVersion } from "@headwater/api/writing/ifMatch";
import { toTimestamp } from "@headwater/contracts";
import { z } from "zod";
import type { IncludeMembers, ListedInclude } from "./includes.ts";

export const INCLUDE_BYTES_MAX = 5 * 1024 * 1024;
const KEY_CHARACTERS_MAX = 128;
const NAME_CHARACTERS_MAX = 32;
const DESCRIPTION_CHARACTERS_MAX = 1_024;
const TAGS_MAX = 100;
const TAG_CHARACTERS_MAX = 128;

export const includeKey = z
  .string()
  .max(KEY_CHARACTERS_MAX)
  .regex(/^[A-Za-z0-9-]+$/, "must contain only letters, digits and dashes");

/** Members of an include beside its key, as bodies give them: `null` removes. */
export const includeMembers = {
  content: storableText(INCLUDE_BYTES_MAX),
  name: storableText(NAME_CHARACTERS_MAX).nullish(),
  description: storableText(DESCRIPTION_CHARACTERS_MAX).nullish(),
  tags: z.array(storableText(TAG_CHARACTERS_MAX).min(1)).max(TAGS_MAX).nullish(),
};

export const includeParams = z.strictObject({ key: storableText(1_024) });

/** An include as answers show it. */
export const includeShape = z.strictObject({
  key: z.string(),
  content: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  createdAt: z.string(),
  lastUpdate: z.string(),
});

export const INCLUDE_MEMBERS = ["key", "content", "name", "description", "tags", "createdAt", "lastUpdate"] as const;

export function includeRecord(row: ListedInclude): Record<string, unknown> {
  const { key, content, name, description, tags, createdAt, updatedAt } = row;
  return {
    key,
    ...(content !== null && { content }),
    ...(name !== null && { name }),
    ...(description !== null && { description }),
    ...(tags !== null && { tags }),
    createdAt: toTimestamp(createdAt),
    lastUpdate: toTimestamp(updatedAt),
  };
}

/** Returns the version of an include's members, for its ETag. */
export function versionOfInclude({ content, name, description, tags }: IncludeMembers): string {
  return contentVersion([content, name, description, tags]);
}

export const includeWritten = successShape.extend({ key: z.string() });

export const includeExample = {
  key: "footer-2026",
  content: "<p>Unsubscribe: {{ unsubscribe_link }}</p>",
  name: "Footer",
  tags: ["legal"],
  createdAt: "2026-01-09T22:47:12.000Z",
  lastUpdate: "2026-01-09T22:47:12.000Z",
};
