import { successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import { contentVersion } from "@headwater/api/writing/ifMatch";
import { toTimestamp } from "@headwater/contracts";
import { z } from "zod";
import type { AudienceMembers, ListedAudience } from "./audiences.ts";
import { criteriaMember } from "./criteriaMember.ts";

const KEY_CHARACTERS_MAX = 128;
const NAME_CHARACTERS_MAX = 256;
const DESCRIPTION_CHARACTERS_MAX = 1_024;
const TAGS_MAX = 100;
const TAG_CHARACTERS_MAX = 128;
/** A key that looks like an id would be taken for one. */
const ID = /^[0-9a-fA-F]{24}$/;

export const audienceKey = z
  .string()
  .max(KEY_CHARACTERS_MAX)
  .regex(/^[A-Za-z0-9_-]+$/, "must contain only letters, digits, dashes and underscores")
  .refine((key) => !ID.test(key), { message: "looks like an id" });

/** Members beside the key, as bodies give them: `null` removes one that may be absent. */
export const audienceMembers = {
  name: storableText(NAME_CHARACTERS_MAX).min(1),
  criteria: criteriaMember,
  description: storableText(DESCRIPTION_CHARACTERS_MAX).nullish(),
  tags: z.array(storableText(TAG_CHARACTERS_MAX).min(1)).max(TAGS_MAX).nullish(),
};

/** The key or the id. */
export const audienceParams = z.strictObject({ key: storableText(1_024) });

const problem = z.strictObject({
  path: z.string(),
  code: z.string(),
  message: z.string(),
  allowed: z.array(z.string()).optional(),
});

/** A saved audience as answers show it. */
export const audienceShape = z.strictObject({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  criteria: z.looseObject({}),
  lastCount: z
    .strictObject({ count: z.number().int(), asOf: z.string() })
    .describe("The last count of the present by `id` or `key`.")
    .optional(),
  problems: z
    .array(problem)
    .describe("What the criteria name that is not there any more; absent when nothing is wrong.")
    .optional(),
  ct: z.string(),
  lm: z.string(),
});

export const LISTED_MEMBERS = [
  "id",
  "key",
  "name",
  "description",
  "tags",
  "criteria",
  "lastCount",
  "ct",
  "lm",
] as const;
export const AUDIENCE_MEMBERS = [...LISTED_MEMBERS, "problems"] as const;

/** @param criteria as they are shown; undefined where a page has no room for them. */
export function audienceRecord(row: ListedAudience, criteria: unknown): Record<string, unknown> {
  const { id, key, name, description, tags, lastCount, lastCountAsOf, createdAt, updatedAt } = row;
  return {
    id,
    key,
    name,
    ...(description !== null && { description }),
    ...(tags !== null && { tags }),
    ...(criteria !== undefined && { criteria }),
    ...(lastCount !== null && { lastCount: { count: lastCount, asOf: toTimestamp(lastCountAsOf ?? 0) } }),
    ct: toTimestamp(createdAt),
    lm: toTimestamp(updatedAt),
  };
}

/** Makes the ETag of what the audience says; counts do not change it. */
export function versionOfAudience({ name, description, tags, criteria }: AudienceMembers): string {
  return contentVersion([name, description, tags, criteria]);
}

export const audienceWritten = successShape.extend({ id: z.string(), key: z.string() });

const ID_EXAMPLE = "65f0c0ffee65f0c0ffee00a1";

export const writtenExample = { success: true, id: ID_EXAMPLE, key: "engaged-30d" };

export const audienceExample = {
  id: ID_EXAMPLE,
  key: "engaged-30d",
  name: "Opened something in 30 days",
  tags: ["newsletter"],
  criteria: { event: "open", within: { last: { n: 30, unit: "day" } } },
  lastCount: { count: 412, asOf: "2026-01-09T22:47:12.000Z" },
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};
