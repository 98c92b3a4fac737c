import { alerts } from "@headwater/automation/alerts/postgres";
import { draftSchema } from "@headwater/automation/orchestrations/orchestration";
import { orchestrations } from "@headwater/automation/orchestrations/postgres";
import { webhooks } from "@headwater/automation/webhooks/postgres";
import type { Account, RejectRow } from "@headwater/contracts";
import type { Upload } from "@headwater/jobs/uploads/uploads";
import { createBatchMessage } from "@headwater/messaging/batchMessages/batchMessages";
import { setMessageStatus } from "@headwater/messaging/batchMessages/startMessages";
import { programs } from "@headwater/messaging/programs/postgres";
import { transports } from "@headwater/messaging/transports/postgres";
import type { Running } from "../service/running.ts";
import { versionAt } from "../service/seed.ts";

const defaultSettings = {
  ...{ transportID: null, scheduleType: "account", trackLinks: "enabled", trackOpens: true, priority: 2, bcc: null },
  ...{ bccEnabled: false, vanityDomainKey: null, strict: false, onUnknown: null, allowEmpty: false, perMinute: null },
  ...{ entry: {}, tests: [] },
};

/** Path values that the earlier examples create. */
export const PATH_VALUES = {
  primary_key: "ada@example.com",
  productID: "85123A",
  id: "536365",
  "updateAccountlist.id": "1",
  "updateAccountlistmembers.id": "1",
  "updateAttribute.key": "lifetime_value",
  "updateInclude.key": "footer-2026",
  "updateAudience.key": "engaged-30d",
  "getAudience.key": "engaged-30d",
  key: "cars",
  "updateSupplementrecord.id": "car-1",
  "updateProgram.id": "65f0c0ffee65f0c0ffee00b1",
  "updateTransport.id": "65f0c0ffee65f0c0ffee00c1",
  "getTransport.id": "65f0c0ffee65f0c0ffee00c1",
  "checkTransport.id": "65f0c0ffee65f0c0ffee00c1",
  "deleteTransport.id": "65f0c0ffee65f0c0ffee00c1",
  "updateTemplate.key": "welcome-2026",
  "publishTemplate.key": "welcome-2026",
  "getTemplate.key": "welcome-2026",
  "renderTemplate.key": "welcome-2026",
  "sendTemplate.key": "welcome-2026",
  "sendTemplatedraft.key": "welcome-2026",
  "listTemplatesends.key": "welcome-2026",
  "deleteSuppression.id": "65f0c0ffee65f0c0ffee00e2",
  "renderTemplatedraft.key": "welcome-2026",
  contactID: "ada@example.com",
  "updateBatchmessage.id": "65f0c0ffee65f0c0ffee00e1",
  "getBatchmessage.id": "65f0c0ffee65f0c0ffee00e1",
  "sendTestBatchmessage.id": "65f0c0ffee65f0c0ffee00e1",
  "retryBatchmessagesends.id": "65f0c0ffee65f0c0ffee00e2",
  "renderBatchmessage.id": "65f0c0ffee65f0c0ffee00e1",
  "getProgram.id": "65f0c0ffee65f0c0ffee00b1",
  orchestrationID: "65f0c0ffee65f0c0ffee0101",
  "updateDatajob.key": "shop-lines",
  "transformDatajob.key": "shop-lines",
  "updateWebhook.id": "65f0c0ffee65f0c0ffee0301",
  "replayWebhook.id": "65f0c0ffee65f0c0ffee0301",
  "updateAlert.id": "65f0c0ffee65f0c0ffee0311",
};

/** Stores the program that path values name. */
export async function seedProgram({ postgres }: Running, { number: account }: Account): Promise<void> {
  const members = { name: "Their secret sale", messages: '{"ids":["b1"]}', orchestrations: null };
  const name = { account, key: PATH_VALUES["updateProgram.id"] };
  await postgres.transaction((transaction) => programs.insert(transaction, name, members, 0));
}

/** Stores the orchestration that path values name. */
export async function seedOrchestration({ postgres }: Running, { number: account }: Account): Promise<void> {
  const never = { enabledAt: null, version: null, compositionId: null, publishedAt: null };
  const content = JSON.stringify({ draft: draftSchema.parse({}) });
  const members = { name: "Their secret journey", tags: null, isEnabled: false, ...never, content };
  const name = { account, key: PATH_VALUES.orchestrationID };
  await postgres.transaction((transaction) => orchestrations.insert(transaction, name, members, 0));
}

/** Stores the webhook that path values name. */
export async function seedWebhook({ postgres }: Running, { number: account }: Account): Promise<void> {
  const never = { actions: null, description: null, disabledReason: null, formerSecret: null, formerUntil: null };
  const members = {
    ...{ ...never, url: "https://hooks.example.com/theirs", events: ["job.done"], enabled: true },
    ...{ activation: 1, secret: "sealed", failingSince: null },
  };
  const name = { account, key: PATH_VALUES["updateWebhook.id"] };
  await postgres.transaction((transaction) => webhooks.insert(transaction, name, members, 0));
}

/** Stores the alert that path values name. */
export async function seedAlert({ postgres }: Running, { number: account }: Account): Promise<void> {
  const watched = { type: "jobs-failed", entity: "account", msID: null, mdtID: null } as const;
  const conditions = '[{"operator":"gt","value":3}]';
  const members = { ...watched, enabled: true, notify: ["their.ops@example.com"], conditions, period: 60, revision: 1 };
  const name = { account, key: PATH_VALUES["updateAlert.id"] };
  await postgres.transaction((transaction) => alerts.insert(transaction, name, members, 0));
}

/** Stores the transport that path values name. */
export async function seedTransport({ postgres }: Running, { number: account }: Account): Promise<void> {
  const about = { name: "Their secret gateway", channel: "sms", type: "log", settings: "{}" } as const;
  const name = { account, key: PATH_VALUES["updateTransport.id"] };
  const members = { ...about, isDefault: false, enabled: true };
  await postgres.transaction((transaction) => transports.insert(transaction, name, members, 0));
}

/** Stores the batch messages that path values name: a draft that goes out by the transport that they name, and one on its way. */
export function seedBatchMessage({ postgres }: Running, { number: account }: Account): Promise<void> {
  const id = PATH_VALUES["updateBatchmessage.id"];
  const message = { content: { "text/plain": "Their secret code" } };
  const content = JSON.stringify({ base: { message, includes: [] }, variants: [] });
  const transportID = PATH_VALUES["updateTransport.id"];
  const named = { classification: "promotional", name: "Their secret message", transportID } as const;
  const settings = JSON.stringify({ ...defaultSettings, ...named });
  const nothing = {
    tags: null,
    transportId: transportID,
    audienceKey: null,
    criteria: null,
    lists: null,
    scheduleAt: null,
  };
  const stored = { account, channel: "sms", ...nothing, settings, content };
  const going = PATH_VALUES["retryBatchmessagesends.id"];
  return postgres.transaction(async (transaction) => {
    await createBatchMessage(transaction, { ...stored, id }, 0);
    await createBatchMessage(transaction, { ...stored, id: going }, 0);
    await setMessageStatus(transaction, { account, id: going, status: "processing" }, 0);
  });
}

/** The one that the examples of imports name. */
export function uploadOf({ number: account }: Account): Upload {
  const about = { name: "people.csv", bytes: 12, sha256: "0".repeat(64), job: null, isCopy: false };
  return { id: "65f0c0ffee65f0c0ffee0001", account, ...about, createdAt: Date.now() };
}

/** The one that the example of a discard names. */
export function deadLetterOf({ number }: Account): RejectRow {
  const requestId = "VbZsDdSkFIHQqU5ESHo7";
  return {
    account: number,
    recordId: `${requestId}:3:0`,
    requestId,
    operation: "upsertContact",
    topic: "intake.records",
    partition: 0,
    logOffset: 0,
    place: 0,
    itemIndex: 3,
    status: "open",
    code: "UNKNOWN_ATTRIBUTE",
    path: "/attributes/colour",
    message: "The account has no such attribute.",
    payload: "{}",
    version: versionAt(0),
    receivedAt: 0,
    rejectedAt: 0,
    attempts: 0,
    dueAt: null,
  };
}
