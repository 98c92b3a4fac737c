import { successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import { contentVersion } from "@headwater/api/writing/ifMatch";
import { type Account, canonicalChannel, toTimestamp } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { z } from "zod";
import { testsShape } from "../batchMessages/messageMembers.ts";
import { readTemplateContent } from "../frozen/templateContent.ts";
import { alertsShape, noAlerts } from "../messages/alerts.ts";
import { bcc, messageShape } from "../messages/messageBody.ts";
import { messageStatsShape, noStats } from "../messages/messageNumbers.ts";
import { defaultEntry, entryShape } from "./entry.ts";
import { recurringScheduleOf, recurringScheduleShape } from "./recurringSchedule.ts";
import type { StoredTemplate, TemplateMembers } from "./templates.ts";
import { defaultTriggers, triggersBody, triggersShape, triggerTypes, triggerTypesShape } from "./triggers.ts";

const KEY_CHARACTERS_MAX = 128;
const TAGS_MAX = 100;
const CHANNEL_CHARACTERS_MAX = 128;

const text = (charactersMax: number) => storableText(charactersMax).min(1);

/** Members that say how a template is sent; stored together. */
const settingsShape = z.object({
  name: text(256),
  classification: z.enum(["promotional", "transactional"]),
  baseAggregation: z.enum(["daily", "hourly"]),
  trackLinks: z.enum(["enabled", "disabled"]),
  priority: z.number().int().min(1).max(4),
  bcc,
  bccEnabled: z.boolean(),
  trackOpens: z.boolean(),
  strict: z.boolean().describe("True skips a contact that lacks a value of the content."),
  onUnknown: z
    .enum(["skip", "resend"])
    .nullable()
    .describe(
      "Says what follows an answer that was lost: transactional messages go out once more, promotional ones never, unless it says otherwise.",
    ),
  triggers: triggersShape,
  entry: entryShape,
});
export type TemplateSettings = z.output<typeof settingsShape>;

/** Settings that older templates do not have. */
const laterSettings = {
  trackOpens: true,
  strict: false,
  onUnknown: null,
  triggers: defaultTriggers,
  entry: defaultEntry,
} as const;

/** Settings of a template that says nothing of them. */
export const defaultSettings = {
  ...({ classification: "promotional", trackLinks: "enabled", priority: 2, bcc: null, bccEnabled: false } as const),
  ...laterSettings,
} satisfies Partial<TemplateSettings>;

const { classification, trackLinks, priority, bccEnabled, trackOpens, strict, entry } = settingsShape.shape;

/** Members of a template, as bodies give them: `null` removes one, or gives it its default value. */
export const templateMembers = {
  ...settingsShape.shape,
  classification: classification.nullable(),
  trackLinks: trackLinks.nullable(),
  priority: priority.nullable(),
  bccEnabled: bccEnabled.nullable(),
  trackOpens: trackOpens.nullable(),
  strict: strict.nullable(),
  triggers: triggersBody,
  entry: entry.nullable(),
  key: text(KEY_CHARACTERS_MAX).regex(/^[A-Za-z0-9-]+$/, "must contain only letters, digits and dashes"),
  channel: text(CHANNEL_CHARACTERS_MAX).overwrite(canonicalChannel),
  message: messageShape.describe(
    "email: `headers.subject`, `fromEmail`, `fromDesc`, and `text/html` or `text/mjml`; `text/plain` is made from the HTML unless it " +
      "is given. sms: `text/plain`. Other channels: `application/json`, a Liquid text that renders to JSON.",
  ),
  tags: z.array(text(128)).max(TAGS_MAX).nullish(),
  transportID: text(1_024).nullish(),
  tests: testsShape
    .nullable()
    .describe("Experiments; at most one is enabled. They belong to the content: published or drafted with it."),
  draftContent: z.boolean().nullish().describe("True keeps the content as a draft; else it is published."),
};

export const templateParams = z.strictObject({ key: storableText(1_024) });

/** A template as answers show it. */
export const templateShape = z.strictObject({
  accountID: z.string(),
  key: z.string(),
  mdtID: z.string(),
  ...settingsShape.shape,
  bcc: z.string().optional(),
  triggerTypesEnabled: triggerTypesShape,
  recurringSchedule: recurringScheduleShape.optional(),
  channel: z.string(),
  tags: z.array(z.string()).optional(),
  transportID: z.string().optional(),
  status: z.enum(["draft", "published"]),
  message: messageShape.optional(),
  tests: testsShape.optional().describe("Experiments of `message`."),
  draft: messageShape.optional(),
  draftTests: testsShape.optional().describe("Experiments of `draft`."),
  draftContent: z.boolean(),
  stats: messageStatsShape
    .optional()
    .describe("Numbers of all its days and hours. An answer leaves them out while ClickHouse is away."),
  alerts: alertsShape,
  asOf: z.string().optional().describe("Moment up to which `stats` have seen everything."),
  ct: z.string(),
  lm: z.string(),
});

export const TEMPLATE_MEMBERS = [
  ...([
    "accountID",
    "key",
    "mdtID",
    "name",
    "channel",
    "classification",
    "baseAggregation",
    "message",
    "tests",
    "draft",
    "draftTests",
  ] as const),
  ...([
    "draftContent",
    "status",
    "tags",
    "transportID",
    "trackLinks",
    "priority",
    "bcc",
    "bccEnabled",
    "trackOpens",
    "strict",
    "onUnknown",
    "triggers",
    "entry",
    "triggerTypesEnabled",
    "recurringSchedule",
    "stats",
    "alerts",
    "asOf",
    "ct",
    "lm",
  ] as const),
];

export function readTemplateSettings({ settings }: Pick<StoredTemplate, "settings">): TemplateSettings {
  const input: object = JSON.parse(settings);
  return settingsShape.parse({ ...laterSettings, ...input });
}

interface TemplateView {
  readonly account: Account;
  readonly nowMs: number;
  /** False leaves the contents out. */
  readonly isWhole?: boolean;
}

/** Returns a template as answers show it. */
export function templateRecord(
  template: StoredTemplate,
  { account, nowMs, isWhole = true }: TemplateView,
): Record<string, unknown> {
  const { key, mdtId, channel, tags, transportId, published, draft, createdAt, updatedAt } = template;
  const { bcc, ...settings } = readTemplateSettings(template);
  const view = published ?? draft;
  return {
    ...{ accountID: account.id, key, mdtID: mdtId, ...settings, channel },
    triggerTypesEnabled: triggerTypes(settings.triggers),
    ...recurringScheduleOf(settings.triggers, { account, nowMs, isPublished: published !== null }),
    ...(bcc !== null && { bcc }),
    ...(tags !== null && { tags }),
    ...(transportId !== null && { transportID: transportId }),
    ...(isWhole && { status: published === null ? "draft" : "published", draftContent: draft !== null }),
    ...(isWhole && view !== null && contentOf(view)),
    ...(isWhole && published !== null && draft !== null && draftOf(draft)),
    alerts: noAlerts,
    ct: toTimestamp(createdAt),
    lm: toTimestamp(updatedAt),
  };
}

function contentOf(text: string) {
  const { message, tests } = readTemplateContent(text);
  return { message, tests };
}

function draftOf(text: string) {
  const { message, tests } = readTemplateContent(text);
  return { draft: message, draftTests: tests };
}

/** Makes the ETag of what the template says. */
export function versionOfTemplate({ tags, transportId, settings, published, draft }: TemplateMembers): string {
  return contentVersion([tags, transportId, settings, published, draft]);
}

export function unknownTemplate() {
  return refusal("RECORD_NOT_FOUND", "No template has this key.");
}

export const templateWritten = successShape.extend({ key: z.string() });
export const writtenExample = { success: true, key: "welcome-2026" };

export const messageExample = {
  headers: {
    ...{ subject: "Welcome, {{ contact.attributes.first_name | default: 'friend' }}", fromEmail: "news@example.com" },
    fromDesc: "Example shop",
  },
  content: {
    "text/html": '<p>Good to have you here.</p><p><a href="{{ links.unsubscribe }}">Unsubscribe</a></p>',
  },
};

export const templateExample = {
  accountID: "65f0c0ffee65f0c0ffee0100",
  key: writtenExample.key,
  mdtID: "65f0c0ffee65f0c0ffee00d1",
  ...{ name: "Welcome", classification: "promotional", baseAggregation: "daily", trackLinks: "enabled" },
  ...{ trackOpens: true, strict: false, onUnknown: null },
  ...{ triggers: defaultTriggers, triggerTypesEnabled: ["api"], entry: defaultEntry },
  ...{ priority: 2, bccEnabled: false, channel: "email", tags: ["welcome"] },
  status: "published",
  draftContent: false,
  message: messageExample,
  tests: [],
  stats: { ...noStats, sent: 1_200, delivered: 1_190, opens: 640, clicks: 85, bounces: 10 },
  alerts: noAlerts,
  asOf: "2026-03-31T22:47:12.000Z",
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};
