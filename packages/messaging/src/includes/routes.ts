import { storableText } from "@headwater/api/paging/query";
import { defineResource } from "@headwater/api/resources/defineResource";
import type { InUse } from "@headwater/api/resources/resourceDefinition";
import { toTimestamp } from "@headwater/contracts";
import { z } from "zod";
import { checkInclude } from "./checkInclude.ts";
import { setIncludesUsed, usersOfInclude } from "./includeUses.ts";
import { includes, type StoredInclude } from "./postgres.ts";

const CONTENT_BYTES_MAX = 5 * 1024 * 1024;
const PAGE_BYTES_MAX = 16 * 1024 * 1024;
const KEY_CHARACTERS_MAX = 128;
const NAME_CHARACTERS_MAX = 32;
const DESCRIPTION_CHARACTERS_MAX = 1_024;
const TAGS_MAX = 100;
const TAG_CHARACTERS_MAX = 128;
/** More users are not named; the include is in use all the same. */
const USERS_NAMED_MAX = 100;

const key = z
  .string()
  .max(KEY_CHARACTERS_MAX)
  .regex(/^[A-Za-z0-9-]+$/, "must contain only letters, digits and dashes");

/** Members next to the key, as bodies give them: `null` removes. */
const members = {
  content: storableText(CONTENT_BYTES_MAX),
  name: storableText(NAME_CHARACTERS_MAX).nullish(),
  description: storableText(DESCRIPTION_CHARACTERS_MAX).nullish(),
  tags: z.array(storableText(TAG_CHARACTERS_MAX).min(1)).max(TAGS_MAX).nullish(),
};

const shape = z.strictObject({
  key: z.string(),
  content: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  createdAt: z.string(),
  lastUpdate: z.string(),
});

function toRecord(row: StoredInclude): z.input<typeof shape> {
  return {
    key: row.key,
    content: row.content,
    ...(row.name !== null && { name: row.name }),
    ...(row.description !== null && { description: row.description }),
    ...(row.tags !== null && { tags: [...row.tags] }),
    createdAt: toTimestamp(row.createdAt),
    lastUpdate: toTimestamp(row.updatedAt),
  };
}

const example = {
  key: "footer-2026",
  content: "<p>Unsubscribe: {{ unsubscribe_link }}</p>",
  name: "Footer",
  tags: ["legal"],
  createdAt: "2026-01-09T22:47:12.000Z",
  lastUpdate: "2026-01-09T22:47:12.000Z",
};

const USER_NAMES = {
  batchmessage: "batch message",
  automationtemplate: "automation template",
  include: "include",
} as const;

const inUse: InUse = {
  code: "INCLUDE_IN_USE",
  message: "Messages use this include.",
  users: async (transaction, name) => {
    const users = await usersOfInclude(transaction, name, USERS_NAMED_MAX);
    return users.map(({ kind, userId }) => `The ${USER_NAMES[kind]} ${userId} uses it.`);
  },
};

export const includeRoutes = defineResource({
  resource: "includes",
  noun: "include",
  table: includes,
  shape,
  example,
  toRecord,
  versioned: ({ content, name, description, tags }) => [content, name, description, tags],
  bodyBytesMax: CONTENT_BYTES_MAX,
  list: {
    operationId: "listIncludes",
    summary: "Lists includes in order of creation.",
    description:
      "A page holds at most 16 MiB of content; a larger page ends early and continues at `next_cursor`. Without content (`fields=key,name`) pages are always full.",
    sorts: { createdAt: "createdAt", key: "key" },
    filters: { key: storableText(1_024) },
    largeBytesMax: PAGE_BYTES_MAX,
  },
  get: { operationId: "getInclude", summary: "Returns an include by its key." },
  create: {
    operationId: "createInclude",
    summary: "Creates an include. Its key is unique within the account and cannot be changed.",
    body: z.object({ key, ...members }),
    requestExample: { key: example.key, content: example.content, name: example.name, tags: example.tags },
    keyOf: (include) => include.key,
    toMembers: ({ content, name = null, description = null, tags = null }) => ({ content, name, description, tags }),
    check: checkInclude,
  },
  update: {
    operationId: "updateInclude",
    summary: "Updates an include. Absent members stay unchanged, null removes a member.",
    body: z.object({ ...members, key: storableText(1_024) }).partial(),
    requestExample: { content: "<p>{{ unsubscribe_link }}</p>", description: "Under every message." },
    toMembers(changes, stored) {
      const { content = stored.content, name = stored.name } = changes;
      const { description = stored.description, tags = stored.tags } = changes;
      return { content, name, description, tags };
    },
    check: checkInclude,
  },
  delete: {
    operationId: "deleteInclude",
    summary: "Deletes an unused include.",
    description: "An include in use is a 422 INCLUDE_IN_USE, and `details` names the messages, templates and includes.",
    inUse,
    async release({ transaction, account, key }) {
      await setIncludesUsed(transaction, { account, kind: "include", userId: key }, []);
      return {};
    },
  },
});
