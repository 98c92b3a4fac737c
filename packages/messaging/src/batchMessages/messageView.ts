import { successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import { contentVersion } from "@headwater/api/writing/ifMatch";
import { type Account, toTimestamp } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { z } from "zod";
import { alertsShape, noAlerts } from "../messages/alerts.ts";
import { messageShape } from "../messages/messageBody.ts";
import { messageStatsShape } from "../messages/messageNumbers.ts";
import type { StoredBatchMessage } from "./batchMessages.ts";
import { settingsShape } from "./messageMembers.ts";
import { readMessageContent, readMessageSettings } from "./storedMessage.ts";
import { batchMessageStatuses } from "./transitions.ts";

export const messageParams = z.strictObject({ id: storableText(1_024) });

const status = z.enum(batchMessageStatuses);

const count = z.number().int();
const deliveryShape = z.strictObject({
  ...{ sent: count, failed: count, unknown: count, deferred: count, pending: count },
  skipped: z
    .record(z.string(), count)
    .describe("By reason. Contacts that were erased since are among them, whatever they were sent."),
});

/** A batch message as answers show it. */
export const batchMessageShape = z.strictObject({
  accountID: z.string(),
  id: z.string(),
  bmID: z.string(),
  mdtID: z.string().optional().describe("Template of which it is a day or an hour."),
  key: z.string().optional().describe("Key of that template."),
  status,
  reason: z.string().optional().describe("Reason for which it is paused or has failed."),
  channel: z.string(),
  ...settingsShape.shape,
  name: z.string().optional(),
  transportID: z.string().optional(),
  bcc: z.string().optional(),
  vanityDomainKey: z.string().optional(),
  onUnknown: z.enum(["skip", "resend"]).optional(),
  perMinute: z.number().int().optional(),
  tags: z.array(z.string()).optional(),
  audience: z.looseObject({}).optional(),
  "audience-key": z.string().optional(),
  schedule: z.string().optional(),
  sendTimeType: z.enum(["immediate", "scheduled"]),
  message: messageShape.optional(),
  sendTime: z.string().optional().describe("Time at which it starts, or was to start."),
  audienceTotal: z.number().int().optional(),
  delivery: deliveryShape
    .optional()
    .describe("Adds up to `audienceTotal`, at every moment. A list shows it where `fields` names it."),
  stats: messageStatsShape
    .optional()
    .describe(
      "All 0 before it begins. Of a message that has begun an answer leaves them out while ClickHouse is away.",
    ),
  asOf: z.string().optional().describe("Moment up to which `stats` have seen everything."),
  alerts: alertsShape,
  warnings: z.array(z.string()).optional(),
  zones: z.strictObject({ done: z.number().int(), total: z.number().int() }).optional(),
  ct: z.string(),
  lm: z.string(),
});

export const MESSAGE_MEMBERS = Object.keys(batchMessageShape.shape);

/** Returns a message as answers show it. @param isWhole false leaves its content out. */
export function messageRecord(
  message: StoredBatchMessage,
  { account, isWhole = true }: { readonly account: Account; readonly isWhole?: boolean },
): Record<string, unknown> {
  const { id, channel, tags, audienceKey, criteria, content, createdAt, updatedAt } = message;
  const settings = Object.entries(readMessageSettings(message)).filter(([, value]) => value !== null);
  const audience: unknown = criteria === null ? undefined : JSON.parse(criteria);
  return {
    ...{ accountID: account.id, id, bmID: id, channel },
    ...Object.fromEntries(settings),
    ...(tags !== null && { tags }),
    ...(audience !== undefined && { audience }),
    ...(audienceKey !== null && { "audience-key": audienceKey }),
    ...(isWhole && content !== null && { message: readMessageContent(content).base.message }),
    ...progressOf(message),
    alerts: noAlerts,
    ct: toTimestamp(createdAt),
    lm: toTimestamp(updatedAt),
  };
}

function progressOf(message: StoredBatchMessage) {
  const { status, reason, scheduleAt, sendAt, audienceTotal, zonesLeft, zonesTotal, warnings } = message;
  return {
    status,
    ...(reason !== null && { reason }),
    sendTimeType: scheduleAt === null ? "immediate" : "scheduled",
    ...(scheduleAt !== null && { schedule: toTimestamp(scheduleAt) }),
    ...(sendAt !== null && { sendTime: toTimestamp(sendAt) }),
    ...(audienceTotal !== null && { audienceTotal }),
    ...(warnings !== null && { warnings }),
    ...(zonesTotal !== null && { zones: { done: zonesTotal - (zonesLeft ?? 0), total: zonesTotal } }),
  };
}

/** Makes the ETag of what the message says and of where it stands. */
export function versionOfMessage(message: Omit<StoredBatchMessage, "createdAt" | "updatedAt">): string {
  const { channel, tags, audienceKey, criteria, scheduleAt, settings, content, status } = message;
  return contentVersion([channel, tags, audienceKey, criteria, scheduleAt, settings, content, status]);
}

export function unknownMessage() {
  return refusal("RECORD_NOT_FOUND", "No batch message has this id.");
}

export const messageWritten = successShape.extend({ bmID: z.string(), id: z.string(), status });

/** Progress of a message that was never sent. */
export const unsent = {
  ...({ status: "draft", reason: null, job: null, sendAt: null, audienceTotal: null } as const),
  ...{ zonesLeft: null, zonesTotal: null, warnings: null, experiment: null },
};

const ID_EXAMPLE = "65f0c0ffee65f0c0ffee00e1";

/** Answer to a call that changes the state. */
export const stateShape = successShape.extend({ id: z.string(), status, jobId: z.string().optional() });
export const stateExample = { success: true, id: ID_EXAMPLE };

export const writtenExample = { success: true, bmID: ID_EXAMPLE, id: ID_EXAMPLE, status: "draft" };

/** Returns the body of an answer to a call that wrote a message. */
export function writtenBody({ id, status }: Pick<StoredBatchMessage, "id" | "status">) {
  return { success: true, bmID: id, id, status };
}

export const contentExample = {
  headers: { subject: "Summer sale", fromEmail: "news@example.com", fromDesc: "Shop", replyEmail: "help@example.com" },
  content: {
    "text/html": '<p>Hello {{ contact.cID }}</p><p><a href="{{ links.unsubscribe }}">Unsubscribe</a></p>',
  },
};

export const messageExample = {
  ...{ accountID: "65f0c0ffee65f0c0ffee0100", id: ID_EXAMPLE, bmID: ID_EXAMPLE, status: "draft", channel: "email" },
  ...{ classification: "promotional", name: "Summer sale", scheduleType: "account", trackLinks: "enabled" },
  ...{ trackOpens: true, priority: 2, bccEnabled: false, strict: false, allowEmpty: false, entry: {}, tests: [] },
  tags: ["summer"],
  audience: { event: "open", within: { last: { n: 30, unit: "day" } } },
  sendTimeType: "immediate",
  message: contentExample,
  alerts: noAlerts,
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};
