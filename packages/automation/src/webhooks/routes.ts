import { defineResource } from "@headwater/api/resources/defineResource";
import type { ResourcePorts, Viewing, Writing } from "@headwater/api/resources/resourceDefinition";
import { contentVersion, etagOf } from "@headwater/api/writing/ifMatch";
import { toTimestamp, webhookContext, webhookEventTypes } from "@headwater/contracts";
import { type Route, refusal } from "@headwater/http";
import { LISTENERS_MAX, setListeners } from "@headwater/intake/triggers/listeners";
import { type ErrorDetail, newWebhookId } from "@headwater/kernel";
import type { RoutePorts } from "@headwater/messaging/ports";
import type { RowName } from "@headwater/postgres/connection/resourceTable";
import { z } from "zod";
import { type StoredWebhook, webhooks } from "./postgres.ts";
import { listWebhookdeliveries } from "./routes/listWebhookdeliveries.ts";
import { replayWebhook } from "./routes/replayWebhook.ts";
import { sendTestWebhook } from "./routes/sendTestWebhook.ts";
import { newSecret } from "./secrets.ts";
import { activitiesOf, FORMER_SECRET_MS, WEBHOOKS_MAX, webhookMembers, webhookProblems } from "./webhook.ts";

type WebhookPorts = ResourcePorts & Pick<RoutePorts, "sealer" | "outbound">;

const shape = z.strictObject({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEventTypes)),
  filter: z.strictObject({ actions: z.array(z.string()) }).optional(),
  description: z.string().optional(),
  enabled: z.boolean(),
  disabledReason: z
    .enum(["gone", "failing"])
    .optional()
    .describe("Of an endpoint that was disabled by itself: it answered 410, or failed for five days."),
  lastDelivery: z
    .strictObject({ at: z.string(), status: z.number().int().nullable() })
    .optional()
    .describe("`status` is null where nobody answered."),
  ct: z.string(),
  lm: z.string(),
});

const isEventType = z.array(z.enum(webhookEventTypes));
const isReason = z.enum(["gone", "failing"]);

function toRecord(row: StoredWebhook): z.input<typeof shape> {
  const { id, url, events, actions, description, enabled, disabledReason, lastAt, lastStatus } = row;
  return {
    ...{ id, url, events: isEventType.parse(events) },
    ...(actions !== null && { filter: { actions: [...actions] } }),
    ...(description !== null && { description }),
    enabled,
    ...(disabledReason !== null && { disabledReason: isReason.parse(disabledReason) }),
    ...(lastAt !== null && { lastDelivery: { at: toTimestamp(lastAt), status: lastStatus } }),
    ...{ ct: toTimestamp(row.createdAt), lm: toTimestamp(row.updatedAt) },
  };
}

const example = {
  id: "65f0c0ffee65f0c0ffee00f1",
  url: "https://hooks.example.com/headwater",
  events: ["job.done", "job.failed", "activity.created"],
  filter: { actions: ["purchase"] },
  description: "Warehouse",
  enabled: true,
  lastDelivery: { at: "2026-01-09T22:47:12.000Z", status: 204 },
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};

const secretOfAnswer = {
  secret: z
    .string()
    .optional()
    .describe(
      "Signs what is posted, `whsec_` and base64. It is shown this once, and to a repeat of the call while nothing has changed.",
    ),
};

type Members = Omit<StoredWebhook, "account" | "id" | "createdAt" | "updatedAt" | "lastAt" | "lastStatus">;

/** Throws 422 `VALIDATION_ERROR` with everything that is wrong with a webhook. */
function expectValid(members: Members, { ports }: Writing<WebhookPorts>): void {
  const problems = webhookProblems({ ...members, events: members.events ?? [] }, ports.outbound);
  if (problems.length > 0) throw invalid(problems);
}

function sealed(secret: string, { caller, key, ports: { sealer } }: Writing<WebhookPorts>): string {
  if (sealer === undefined) throw invalid([{ path: "", code: "not_allowed", message: NO_KEY }]);
  return sealer.seal(secret, webhookContext(caller.account.id, key));
}

const NO_KEY = "This installation keeps no secrets: its operator has not set HEADWATER_SETTINGS_KEY_FILE.";

function invalid(details: readonly ErrorDetail[]) {
  return refusal("VALIDATION_ERROR", "The webhook is invalid.", { details });
}

const changes = z
  .object(webhookMembers)
  .partial()
  .extend({
    rotateSecret: z
      .boolean()
      .optional()
      .describe("Creates another secret. The former one signs along until the next rotation, or for 24 hours."),
  });

function versioned({ url, events, actions, description, enabled, secret }: StoredWebhook) {
  return [url, events, actions, description, enabled, secret];
}

const plainRoutes = defineResource({
  resource: "webhooks",
  noun: "webhook",
  table: webhooks,
  shape,
  example,
  toRecord: (row, _: Viewing<WebhookPorts>) => toRecord(row),
  versioned,
  list: {
    operationId: "listWebhooks",
    summary: "Lists webhooks in order of creation.",
    sorts: { ct: "createdAt" },
  },
  get: { operationId: "getWebhook", summary: "Returns a webhook by its id." },
  create: {
    operationId: "createWebhook",
    summary: "Creates a webhook: an address to which events are posted, signed.",
    description:
      "Bodies are `{type, timestamp, data}`, signed as Standard Webhooks say. `filter.actions` chooses among activities by their names.",
    body: z.object(webhookMembers),
    requestExample: {
      ...{ url: example.url, events: example.events, filter: example.filter, description: example.description },
    },
    keyOf: newWebhookId,
    limit: { code: "VALIDATION_ERROR", path: "", max: () => WEBHOOKS_MAX },
    async toMembers({ url, events, filter, description = null, enabled }, _, writing) {
      const members = {
        ...{ url, events: [...new Set(events)], actions: actionsOf(filter), description, enabled: enabled ?? true },
        ...{ activation: 1, disabledReason: null, failingSince: null },
        ...{ secret: sealed(newSecret(), writing), formerSecret: null, formerUntil: null },
      };
      expectValid(members, writing);
      await listen(members, writing);
      return members;
    },
    check: async () => ({ complete: async (_, row) => toRecord(row) }),
    answer: { members: shape.shape, example },
    secret: { members: secretOfAnswer, read: (_, name) => readSecret(name) },
  },
  update: {
    operationId: "updateWebhook",
    summary: "Updates a webhook. Absent members stay unchanged.",
    description:
      "Nothing that waited while the webhook was disabled is posted when it is enabled again: `replay` asks for it. With `rotateSecret` the answer is the record with its new secret.",
    body: changes,
    requestExample: { events: ["job.done", "job.failed"], filter: null },
    async toMembers(given, stored, writing) {
      const { enabled: wanted, rotateSecret, events: chosen, url = stored.url } = given;
      const enabled = wanted === undefined ? stored.enabled : (wanted ?? true);
      const isEnabling = enabled && !stored.enabled;
      const members = {
        ...{ url, events: chosen ? [...new Set(chosen)] : stored.events, enabled },
        actions: given.filter === undefined ? stored.actions : actionsOf(given.filter),
        description: given.description === undefined ? stored.description : given.description,
        activation: stored.activation + (isEnabling ? 1 : 0),
        disabledReason: enabled ? null : stored.disabledReason,
        failingSince: isEnabling ? null : stored.failingSince,
        ...secretsAfter(rotateSecret, stored, writing),
      };
      expectValid(members, writing);
      await listen(members, writing);
      return members;
    },
    check: async ({ rotateSecret }) =>
      rotateSecret === true ? { complete: async (_, row) => toRecord(row) } : undefined,
    answer: { members: shape.partial().shape, example: {} },
    secret: {
      members: secretOfAnswer,
      read: async ({ rotateSecret }, name) => (rotateSecret === true ? readSecret(name) : {}),
    },
  },
  delete: {
    operationId: "deleteWebhook",
    summary: "Deletes a webhook, with its secrets and what it waits for.",
    async release({ transaction, account, key }) {
      await setListeners(transaction, holderOf({ account, key }), []);
      return {};
    },
  },
});

/** Has the activities emitted that a webhook listens to. Throws 422 `VALIDATION_ERROR` where the account would listen to too many. */
async function listen(members: Members, writing: Writing<WebhookPorts>): Promise<void> {
  const wanted = activitiesOf({ ...members, events: members.events ?? [] });
  if (await setListeners(writing.transaction, holderOf(writing), wanted)) return;
  const message = `An account listens to at most ${LISTENERS_MAX} activities.`;
  throw invalid([{ path: "/filter/actions", code: "too_many", message }]);
}

function holderOf({ account, key }: RowName) {
  return { account, holder: `webhook:${key}` };
}

function actionsOf(filter: { readonly actions: readonly string[] } | null | undefined): readonly string[] | null {
  return filter ? [...new Set(filter.actions)] : null;
}

function secretsAfter(rotates: boolean | undefined, stored: StoredWebhook, writing: Writing<WebhookPorts>) {
  const { secret, formerSecret, formerUntil } = stored;
  if (rotates !== true) return { secret, formerSecret, formerUntil };
  const until = writing.nowMs + FORMER_SECRET_MS;
  return { secret: sealed(newSecret(), writing), formerSecret: secret, formerUntil: until };
}

/**
 * Returns the secret of a webhook as the answer to its creation or rotation shows it. A repeat of such a call shows it again as long as the webhook
 * is what it was then: another secret was shown to somebody else.
 */
async function readSecret({
  account,
  caller,
  key,
  etag,
  ports: { postgres, sealer },
}: Pick<Writing<WebhookPorts>, "account" | "caller" | "key" | "ports"> & {
  readonly etag: string | undefined;
}): Promise<{
  secret?: string;
}> {
  const row = await webhooks.read(postgres, { account, key });
  if (row === undefined || sealer === undefined || etag !== etagOf(contentVersion(versioned(row)))) return {};
  return { secret: sealer.open(row.secret, webhookContext(caller.account.id, key)) };
}

export function webhookRoutes(ports: WebhookPorts & Pick<RoutePorts, "queue">): Route[] {
  return [...plainRoutes(ports), listWebhookdeliveries(ports), replayWebhook(ports), sendTestWebhook(ports)];
}
