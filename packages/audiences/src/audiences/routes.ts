import { storableText } from "@headwater/api/paging/query";
import { defineResource } from "@headwater/api/resources/defineResource";
import type { Checking, InUse, ResourcePorts, Viewing } from "@headwater/api/resources/resourceDefinition";
import { toTimestamp } from "@headwater/contracts";
import type { Route } from "@headwater/http";
import { newAudienceId, safeParse } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { examineCriteria } from "../criteria/examineCriteria.ts";
import { meantCriteria } from "../criteria/knownAudiences.ts";
import type { RoutePorts } from "../ports.ts";
import { setAudiencesUsedBy, usersOfAudience } from "./audienceUses.ts";
import { criteriaMember } from "./criteriaMember.ts";
import { criteriaView } from "./criteriaView.ts";
import { audiences, lockAudiences, type StoredAudience } from "./postgres.ts";
import { countAudience } from "./routes/countAudience.ts";
import { type CheckedCriteria, checkBeforeSaving, readAudiencesNamed, toStoredCriteria } from "./savedCriteria.ts";

type AudiencePorts = ResourcePorts & Pick<RoutePorts, "clickHouse">;

const PAGE_BYTES_MAX = 4 * 1024 * 1024;
/** More users are not named; the audience is in use all the same. */
const USERS_NAMED_MAX = 100;
/** A key that looks like an id would be taken for one. */
const ID = /^[0-9a-fA-F]{24}$/;
const NOT_COUNTED = { lastCount: null, lastCountAsOf: null, countedAt: null };

const key = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9_-]+$/, "must contain only letters, digits, dashes and underscores")
  .refine((text) => !ID.test(text), { message: "looks like an id" });

/** Members next to the key, as bodies give them: `null` removes one that may be absent. */
const members = {
  name: storableText(256).min(1),
  criteria: criteriaMember,
  description: storableText(1_024).nullish(),
  tags: z.array(storableText(128).min(1)).max(100).nullish(),
};

export const createBody = z.object({ key, ...members });
export const updateBody = z.object({ ...members, key: storableText(1_024) }).partial();

const problem = z.strictObject({
  path: z.string(),
  code: z.string(),
  message: z.string(),
  allowed: z.array(z.string()).optional(),
});

const shape = z.strictObject({
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

/** Returns rows with the criteria of now: a list that was renamed since has its new name. */
async function load(rows: readonly StoredAudience[], { session }: Viewing<AudiencePorts>): Promise<StoredAudience[]> {
  const read = rows.filter(({ criteria }) => criteria !== "");
  const view = await criteriaView(session, read);
  const criteriaOf = new Map(read.map(({ id }, index) => [id, JSON.stringify(view[index])]));
  return rows.map((row) => ({ ...row, criteria: criteriaOf.get(row.id) ?? "" }));
}

function toRecord(row: StoredAudience): Record<string, unknown> {
  const { id, key, name, description, tags, criteria, lastCount, lastCountAsOf, createdAt, updatedAt } = row;
  return {
    ...{ id, key, name },
    ...(description !== null && { description }),
    ...(tags !== null && { tags }),
    ...(criteria !== "" && { criteria: JSON.parse(criteria) }),
    ...(lastCount !== null && { lastCount: { count: lastCount, asOf: toTimestamp(lastCountAsOf ?? 0) } }),
    ...{ ct: toTimestamp(createdAt), lm: toTimestamp(updatedAt) },
  };
}

const example = {
  id: "65f0c0ffee65f0c0ffee00a1",
  key: "engaged-30d",
  name: "Opened something in 30 days",
  tags: ["newsletter"],
  criteria: { event: "open", within: { last: { n: 30, unit: "day" } } },
  lastCount: { count: 412, asOf: "2026-01-09T22:47:12.000Z" },
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};

/** Checks criteria before the transaction that saves them; undefined for a body without. */
async function checkRules(
  input: { readonly criteria?: unknown },
  { caller: { account }, key: named, ports }: Checking<AudiencePorts>,
): Promise<CheckedCriteria | undefined> {
  const { criteria } = input;
  if (!safeParse(z.looseObject({}), criteria).success) return undefined;
  return checkBeforeSaving(criteria, { account, named }, ports);
}

const checks = {
  async furtherProblems(provided: Readonly<Record<string, unknown>>, checking: Checking<AudiencePorts>) {
    const examined = (await checkRules(provided, checking))?.examined;
    return examined?.kind === "invalid" ? examined.details : [];
  },
  async check(received: { readonly criteria?: unknown }, checking: Checking<AudiencePorts>) {
    const found = await checkRules(received, checking);
    return found && { found };
  },
};

/** Stores which audiences criteria name. Throws 422 `INVALID_AUDIENCE_RULES` for those that lead back to it. */
async function useNamed(
  found: CheckedCriteria,
  { transaction, account }: { readonly transaction: Transaction; readonly account: number },
  self: Pick<StoredAudience, "id" | "key">,
): Promise<void> {
  const used = await readAudiencesNamed(transaction, found, { account, self });
  await setAudiencesUsedBy(transaction, { account, kind: "audience", userId: self.id }, used);
}

const USER_NAMES = {
  audience: "saved audience",
  batchmessage: "batch message",
  automationtemplate: "automation template",
  orchestration: "orchestration",
} as const;

const inUse: InUse<StoredAudience> = {
  code: "AUDIENCE_IN_USE",
  message: "This audience is in use.",
  async users(transaction, audience) {
    const users = await usersOfAudience(transaction, audience, USERS_NAMED_MAX);
    return users.map(({ kind, userId }) => `The ${USER_NAMES[kind]} ${userId} uses it.`);
  },
};

const plainRoutes = defineResource({
  resource: "audiences",
  noun: "saved audience",
  table: audiences,
  shape,
  example,
  toRecord,
  load,
  versioned: ({ name, description, tags, criteria }) => [name, description, tags, criteria],
  lock: lockAudiences,
  list: {
    operationId: "listAudiences",
    summary: "Lists saved audiences in order of creation.",
    description:
      "A page holds at most 4 MiB of criteria; a larger page ends early and continues at `next_cursor`. Without criteria (`fields=key,name`) pages are always full.",
    sorts: { ct: "createdAt", createdAt: "createdAt", key: "key", name: "name" },
    filters: {
      tags: storableText(4_096).min(1).describe("Names of tags, with commas between: audiences with one of them."),
    },
    largeBytesMax: PAGE_BYTES_MAX,
  },
  get: {
    operationId: "getAudience",
    summary: "Returns a saved audience by its key or id.",
    description:
      "`problems` names what its criteria refer to that was deleted since: until it is mended, a count is a 422.",
    computed: {
      async problems(row, { account, ports }) {
        const examined = await examineCriteria(meantCriteria(row), { account, at: "/criteria" }, ports);
        return examined.kind === "invalid" ? examined.details : undefined;
      },
    },
  },
  create: {
    operationId: "createAudience",
    summary: "Saves an audience. Its key is unique within the account and cannot be changed.",
    description: "Lists are kept by id: a rename changes nothing. Invalid criteria are a 422 INVALID_AUDIENCE_RULES.",
    body: createBody,
    requestExample: { key: example.key, name: example.name, tags: example.tags, criteria: example.criteria },
    keyOf: ({ key }) => key,
    ...checks,
    async toMembers({ name, description = null, tags = null }, _, { found, key, ...writing }) {
      if (found === undefined) throw new Error("a new audience has criteria");
      const id = newAudienceId();
      const members = { id, name, description, tags, ...toStoredCriteria(found), ...NOT_COUNTED };
      await useNamed(found, writing, { id, key });
      return members;
    },
  },
  update: {
    operationId: "updateAudience",
    summary: "Updates a saved audience by its key or id. Absent members stay unchanged, criteria are given as a whole.",
    body: updateBody,
    requestExample: {
      name: "Opened something in 60 days",
      criteria: { event: "open", within: { last: { n: 60, unit: "day" } } },
    },
    ...checks,
    async toMembers({ name, description, tags }, stored, { found, ...writing }) {
      const { criteria, lists } = found === undefined ? stored : toStoredCriteria(found);
      if (found !== undefined) await useNamed(found, writing, stored);
      const { lastCount, lastCountAsOf, countedAt } = stored;
      return {
        ...{ id: stored.id, name: name ?? stored.name, criteria, lists },
        description: description === undefined ? stored.description : description,
        tags: tags === undefined ? stored.tags : tags,
        // A count of other criteria is not one of these.
        ...(criteria === stored.criteria ? { lastCount, lastCountAsOf, countedAt } : NOT_COUNTED),
      };
    },
  },
  delete: {
    operationId: "deleteAudience",
    summary: "Deletes an unused saved audience by its key or id.",
    description:
      "An audience in use is a 422 AUDIENCE_IN_USE, and `details` names the audiences, messages and orchestrations.",
    inUse,
    async release({ transaction }, { account, id }) {
      await setAudiencesUsedBy(transaction, { account, kind: "audience", userId: id }, []);
      return {};
    },
  },
});

export function audienceRoutes(
  ports: AudiencePorts & Pick<RoutePorts, "freshness" | "aliasRevisions" | "seenNames">,
): Route[] {
  return [countAudience(ports), ...plainRoutes(ports)];
}
