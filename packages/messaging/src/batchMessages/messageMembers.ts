import { storableText } from "@headwater/api/paging/query";
import { criteriaMember } from "@headwater/audiences/audiences/criteriaMember";
import { canonicalChannel, experimentMetrics, experimentTypes } from "@headwater/contracts";
import { z } from "zod";
import { bcc, messageShape } from "../messages/messageBody.ts";

const text = (charactersMax: number) => storableText(charactersMax).min(1);

const TAGS_MAX = 100;
const TESTS_MAX = 10;
const VARIANTS = { min: 2, max: 8 } as const;
const WAIT_MINUTES_MAX = 7 * 24 * 60;

const variant = z.object({
  name: text(128),
  weight: z.number().positive().max(1_000_000).optional().describe("Variants without a weight share alike."),
  headers: messageShape.shape.headers.describe("Take the place of the message's own headers."),
  content: messageShape.shape.content.optional().describe("Takes the place of the message's content."),
});

const goal = z.object({ action: text(40), where: z.array(z.looseObject({})).max(20).optional() });

/** A test of variants; at most one is enabled. */
const testShape = z.object({
  type: z.enum(experimentTypes),
  enabled: z.boolean(),
  name: text(128).optional(),
  variants: z.array(variant).min(VARIANTS.min).max(VARIANTS.max).optional(),
  metric: z.enum(experimentMetrics).optional(),
  goal: goal.optional(),
  testPercent: z.number().positive().max(100).optional(),
  decideAfterMinutes: z.number().int().min(1).max(WAIT_MINUTES_MAX).optional(),
});
export type MessageTest = z.output<typeof testShape>;

export const testsShape = z.array(testShape).max(TESTS_MAX);

export const entryShape = z.object({
  holdoutPercent: z.number().min(0).max(100).optional().describe("Share of the audience that gets nothing."),
});

/** Members that say how a message is sent; stored together. */
export const settingsShape = z.object({
  classification: z.enum(["promotional", "transactional"]),
  name: text(256).nullable(),
  transportID: text(1_024).nullable(),
  scheduleType: z.enum(["account", "contact"]),
  trackLinks: z.enum(["enabled", "disabled"]),
  trackOpens: z.boolean(),
  priority: z.number().int().min(1).max(4),
  bcc,
  bccEnabled: z.boolean(),
  vanityDomainKey: text(128).nullable(),
  strict: z.boolean().describe("A contact for whom a value is missing is skipped."),
  onUnknown: z.enum(["skip", "resend"]).nullable(),
  allowEmpty: z.boolean().describe("An empty audience is no mistake."),
  perMinute: z.number().int().min(1).max(1_000_000).nullable(),
  entry: entryShape,
  tests: testsShape,
});
export type MessageSettings = z.output<typeof settingsShape>;

/** Settings of a message that says nothing of them. */
export const defaultSettings = {
  ...({ name: null, transportID: null, scheduleType: "account", trackLinks: "enabled", trackOpens: true } as const),
  ...({ priority: 2, bcc: null, bccEnabled: false, vanityDomainKey: null, strict: false, onUnknown: null } as const),
  ...({ allowEmpty: false, perMinute: null, entry: {}, tests: [] } as const),
} satisfies Partial<Record<keyof MessageSettings, unknown>>;

const { classification, ...optional } = settingsShape.shape;
const { scheduleType, trackLinks, trackOpens, priority, bccEnabled, strict, allowEmpty, entry, tests } = optional;

/** Members of a batch message, as bodies give them: `null` removes one, or gives it its default value. */
export const messageMembers = {
  channel: text(128).overwrite(canonicalChannel),
  classification,
  ...z.object(optional).partial().shape,
  scheduleType: scheduleType.nullish(),
  trackLinks: trackLinks.nullish(),
  trackOpens: trackOpens.nullish(),
  priority: priority.nullish(),
  bccEnabled: bccEnabled.nullish(),
  strict: strict.nullish(),
  allowEmpty: allowEmpty.nullish(),
  entry: entry.nullish(),
  tests: tests.nullish(),
  tags: z.array(text(128)).max(TAGS_MAX).nullish(),
  audience: criteriaMember.nullish(),
  "audience-key": text(1_024).nullish().describe("Key of a saved audience."),
  schedule: text(64).nullish().describe("Absent: sent at once by `/send`."),
  sendTimeType: z.enum(["immediate", "scheduled"]).nullish().describe("Follows `schedule`."),
  message: messageShape.nullish(),
};
