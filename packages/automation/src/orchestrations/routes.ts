import { storableText } from "@headwater/api/paging/query";
import { defineResource } from "@headwater/api/resources/defineResource";
import type { Checked, Checking, ResourcePorts } from "@headwater/api/resources/resourceDefinition";
import { toTimestamp } from "@headwater/contracts";
import { bodyRefusal, type Route } from "@headwater/http";
import { type ErrorDetail, newOrchestrationId, safeParse } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { z } from "zod";
import { createJourneys } from "../runs/journeys.ts";
import { type SimulatePorts, simulateOrchestration } from "../simulations/routes/simulateOrchestration.ts";
import { type CheckedComposition, type ExaminePorts, examineDraft } from "./examineDraft.ts";
import { afterWrite, beforeDelete } from "./lifecycle.ts";
import { isPublished, wrongMigration } from "./migrate.ts";
import {
  compositionSchema,
  type Draft,
  draftSchema,
  orchestrationExample,
  orchestrationMembers,
  publishMembers,
} from "./orchestration.ts";
import * as stored from "./postgres.ts";
import { getOrchestrationactions } from "./routes/getOrchestrationactions.ts";
import { getOrchestrationstats } from "./routes/getOrchestrationstats.ts";
import { listOrchestrationcontacts } from "./routes/listOrchestrationcontacts.ts";
import { listOrchestrationversions } from "./routes/listOrchestrationversions.ts";
import { exitOrchestrationcontact, retryOrchestrationcontact } from "./routes/moveOrchestrationcontact.ts";
import { type TriggerPorts, triggerOrchestration } from "./routes/triggerOrchestration.ts";

export type OrchestrationPorts = ResourcePorts & ExaminePorts;

/** Enabled orchestrations of one account: each of its facts is compared with their triggers. */
const ENABLED_MAX = 1_000;
const PAGE_BYTES_MAX = 16 * 1024 * 1024;

const { trigger, entry, exit, goals, actions } = compositionSchema.shape;
const draftActions = draftSchema.shape.actions.unwrap();

const shape = z.strictObject({
  orchestrationID: z.string(),
  name: z.string(),
  tags: z.array(z.string()).optional(),
  status: z.boolean().describe("True while it is enabled."),
  ...{ trigger, entry, exit, goals },
  composition: z.strictObject({
    draft: z.strictObject({ actions: draftActions }),
    published: z
      .strictObject({ version: z.int(), compositionID: z.string(), trigger, entry, exit, goals, actions })
      .describe("The version that new runs follow.")
      .optional(),
    publishedAt: z.string().optional(),
  }),
  ct: z.string(),
  lm: z.string(),
});

function toRecord(row: stored.StoredOrchestration): Record<string, unknown> {
  const { orchestrationID, name, tags, isEnabled, createdAt, updatedAt } = row;
  return {
    ...{ orchestrationID, name, status: isEnabled },
    ...(tags !== null && { tags: [...tags] }),
    ...(row.content !== "" && contentView(row)),
    ...{ ct: toTimestamp(createdAt), lm: toTimestamp(updatedAt) },
  };
}

function contentView(row: stored.StoredOrchestration): Record<string, unknown> {
  const { version, compositionId: compositionID, publishedAt } = row;
  const { draft, published } = stored.readContent(row);
  const { actions: drafted, ...members } = draft;
  const ofVersion = published && {
    published: { version, compositionID, ...published },
    publishedAt: toTimestamp(publishedAt ?? 0),
  };
  return { ...members, composition: { draft: { actions: drafted }, ...ofVersion } };
}

const draftOfExample = draftSchema.parse({
  ...orchestrationExample,
  actions: orchestrationExample.composition.draft.actions,
});

const example = {
  orchestrationID: "65f0c0ffee65f0c0ffee0101",
  name: orchestrationExample.name,
  tags: orchestrationExample.tags,
  status: false,
  trigger: draftOfExample.trigger,
  entry: draftOfExample.entry,
  exit: draftOfExample.exit,
  goals: draftOfExample.goals,
  composition: { draft: { actions: draftOfExample.actions } },
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};

const updateExample = {
  status: true,
  publish: true,
  trigger: { api: true, event: { action: "purchase" } },
  composition: {
    draft: {
      actions: [
        {
          id: "silence",
          type: "wait",
          config: { any: [{ event: "purchase" }], timeout: { n: 30, unit: "day" } },
          next: [{ id: "note", label: "timeout" }],
        },
        { id: "note", type: "transformation", config: { set: { lists: { add: ["Silent"] } } } },
      ],
    },
  },
};

const createBody = z.object({
  ...orchestrationMembers,
  publish: z
    .boolean()
    .optional()
    .describe("A new orchestration is a draft, whatever this says: an update publishes it."),
});
const updateBody = z.object({ ...orchestrationMembers, ...publishMembers }).partial();
type Changes = z.output<typeof updateBody>;

/** Returns the draft with the changes of a body: a member that is `null` has its default again. */
function changedDraft(
  draft: Draft,
  changes: Pick<Changes, "trigger" | "entry" | "exit" | "goals" | "composition">,
): Draft {
  const { trigger, entry, exit, goals, composition } = changes;
  return draftSchema.parse({
    trigger: trigger === undefined ? draft.trigger : (trigger ?? undefined),
    entry: entry === undefined ? draft.entry : (entry ?? undefined),
    exit: exit === undefined ? draft.exit : (exit ?? undefined),
    goals: goals === undefined ? draft.goals : (goals ?? undefined),
    actions: composition?.draft.actions ?? draft.actions,
  });
}

/** A draft that may be published, and the content that it was made of. */
interface Publishable extends CheckedComposition {
  readonly before: string;
}

/** Checks the draft that a body publishes. Throws 422 `VALIDATION_ERROR` with all mistakes. */
async function checkPublishing(
  changes: Changes,
  { account, key, caller, ports }: Checking<OrchestrationPorts>,
): Promise<Publishable | undefined> {
  const row = changes.publish === true ? await stored.orchestrations.read(ports.postgres, { account, key }) : undefined;
  if (row === undefined) return undefined;
  const draft = changedDraft(stored.readContent(row).draft, changes);
  const examined = await examineDraft(draft, caller.account, ports);
  const wrong = await checkMigration(changes, { account, orchestration: key, draft, ports });
  if (examined.kind === "invalid") throw bodyRefusal([...examined.details, ...wrong]);
  if (wrong.length > 0) throw bodyRefusal(wrong);
  return { ...examined, before: row.content };
}

interface Migrating extends stored.OrchestrationName {
  readonly draft: Draft;
  readonly ports: OrchestrationPorts;
}

async function checkMigration(
  { migrate = {} }: Pick<Changes, "migrate">,
  { draft, ports, ...name }: Migrating,
): Promise<readonly ErrorDetail[]> {
  const migration = new Map(Object.entries(migrate));
  if (migration.size === 0) return [];
  const before = await stored.knownNodes(ports.postgres, name, [...migration.keys()]);
  return wrongMigration(migration, { before, after: new Set(draft.actions.map(({ id }) => id)) });
}

/** Returns the mistakes of a draft whose other members have another shape: what of the body can be read is checked with it. */
async function furtherProblems(
  input: Readonly<Record<string, unknown>>,
  checking: Checking<OrchestrationPorts>,
): Promise<readonly ErrorDetail[]> {
  const { account, key, caller, ports } = checking;
  const row = input.publish === true ? await stored.orchestrations.read(ports.postgres, { account, key }) : undefined;
  if (row === undefined) return [];
  const { shape: members } = updateBody;
  const readable = Object.entries(members).flatMap(([name, member]) => {
    const read = safeParse(member, input[name]);
    return read.success ? [[name, read.data] as const] : [];
  });
  const isReadable = new Set(readable.map(([name]) => name));
  if (!isReadable.has("composition")) return [];
  const changes = updateBody.parse(Object.fromEntries(readable));
  const examined = await examineDraft(changedDraft(stored.readContent(row).draft, changes), caller.account, ports);
  return examined.kind === "ok" ? [] : examined.details.filter(({ path }) => isReadable.has(path.split("/")[1] ?? ""));
}

/** Throws 422 `VALIDATION_ERROR` for one more than an account may have enabled. */
async function expectFewEnabled(transaction: Transaction, name: stored.OrchestrationName): Promise<void> {
  if ((await stored.countEnabled(transaction, name)) < ENABLED_MAX) return;
  const message = `An account can have at most ${ENABLED_MAX} enabled orchestrations.`;
  throw bodyRefusal([{ path: "/status", code: "too_many", message }]);
}

const plainRoutes = defineResource({
  resource: "orchestrations",
  noun: "orchestration",
  table: stored.orchestrations,
  shape,
  example,
  toRecord,
  versioned: ({ name, tags, isEnabled, version, content }) => [name, tags, isEnabled, version, content],
  unknownCode: "ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND",
  list: {
    operationId: "listOrchestrations",
    summary: "Lists orchestrations in order of creation.",
    description:
      "A page holds at most 16 MiB of contents; a larger page ends early and continues at `next_cursor`. Without contents (`fields=orchestrationID,name,status`) pages are always full.",
    sorts: { ct: "createdAt", lm: "updatedAt", name: "name" },
    filters: {
      tags: storableText(4_096).min(1).describe("Names of tags, with commas between: orchestrations with one of them."),
    },
    ranges: { ct: "createdAt", lm: "updatedAt" },
    largeBytesMax: PAGE_BYTES_MAX,
  },
  get: { operationId: "getOrchestration", summary: "Returns an orchestration by its id." },
  create: {
    operationId: "createOrchestration",
    summary: "Creates an orchestration: a draft, and disabled.",
    description: "The draft may be incomplete. What is wrong with it is reported when it is published.",
    body: createBody,
    requestExample: orchestrationExample,
    keyOf: newOrchestrationId,
    toMembers({ name, tags = null, status: _, publish: __, ...changes }) {
      const draft = changedDraft(draftSchema.parse({}), changes);
      return {
        ...{ name, tags, isEnabled: false, enabledAt: null, version: null, compositionId: null, publishedAt: null },
        content: JSON.stringify({ draft }),
      };
    },
  },
  update: {
    operationId: "updateOrchestration",
    summary: "Updates, publishes, enables or disables an orchestration.",
    description:
      "`name`, `tags` and `status` take effect at once; all else is the draft until `publish` makes a version of it. Absent members stay unchanged, others are given as a whole. Runs stay on the version that they follow unless `migrate` names their node. Publishing what is unchanged makes no version.",
    body: updateBody,
    requestExample: updateExample,
    // Who is in it already, or comes at the next look at its audience, is found out by its runs.
    starts: (_answer, record) => (Reflect.get(Object(record), "status") === true ? "unknown" : 0),
    furtherProblems,
    async check(changes, checking): Promise<Checked<stored.StoredOrchestration, Publishable | undefined>> {
      const found = await checkPublishing(changes, checking);
      return {
        found,
        async complete(transaction, after, before) {
          await afterWrite(transaction, { before, after, published: publishedBy(after, before, { changes, found }) });
          return {};
        },
      };
    },
    async toMembers(changes, row, { transaction, nowMs, found }) {
      const { name = row.name, tags = row.tags, status = row.isEnabled } = changes;
      if (found !== undefined && found.before !== row.content) throw new WriteConflict("the draft has changed");
      const { draft, published } = stored.readContent(row);
      const isNew = found !== undefined && !(published && isPublished(found.composition, published));
      const { account, orchestrationID: orchestration } = row;
      if (status && !row.isEnabled) await expectFewEnabled(transaction, { account, orchestration });
      return {
        ...{ name, tags, isEnabled: status },
        enabledAt: status && !row.isEnabled ? nowMs : row.enabledAt,
        version: isNew ? (row.version ?? 0) + 1 : row.version,
        compositionId: isNew ? newOrchestrationId() : row.compositionId,
        publishedAt: isNew ? nowMs : row.publishedAt,
        content: JSON.stringify({
          draft: changedDraft(draft, changes),
          published: isNew ? found.composition : published,
        }),
      };
    },
  },
  delete: {
    operationId: "deleteOrchestration",
    summary: "Deletes an orchestration and ends its runs. The numbers of its messages stay.",
    async release({ transaction, account, key: orchestration }) {
      await beforeDelete(transaction, { account, orchestration });
      return {};
    },
  },
});

/** Returns the version that a write has published, if it has. */
function publishedBy(
  { account, orchestrationID: orchestration, version, compositionId, publishedAt }: stored.StoredOrchestration,
  before: stored.StoredOrchestration | undefined,
  { changes, found }: { readonly changes: Changes; readonly found: Publishable | undefined },
) {
  if (found === undefined || version === null || compositionId === null || publishedAt === null) return undefined;
  if (version === before?.version) return undefined;
  const { composition, lists, audiences } = found;
  const name = { account, orchestration, version, compositionId, publishedAt };
  return {
    version: { ...name, composition, lists, migration: changes.migrate },
    audiences: [...new Set(audiences.values())],
  };
}

export function orchestrationRoutes(
  ports: OrchestrationPorts & SimulatePorts & Omit<TriggerPorts, "journeys">,
): Route[] {
  const withJourneys = { ...ports, journeys: createJourneys(ports.clock) };
  return [
    ...plainRoutes(ports),
    getOrchestrationactions(ports),
    listOrchestrationversions(ports),
    listOrchestrationcontacts(ports),
    exitOrchestrationcontact(withJourneys),
    retryOrchestrationcontact(withJourneys),
    getOrchestrationstats(ports),
    triggerOrchestration(withJourneys),
    simulateOrchestration(ports),
  ];
}
