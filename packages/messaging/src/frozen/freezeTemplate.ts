import { z } from "zod";
import { freezeExperiment } from "./frozenExperiment.ts";
import { defaultOnUnknown, type FrozenMessage } from "./frozenMessage.ts";
import { readTemplateContent } from "./templateContent.ts";

/** Members that say how a template is sent, as they are stored. Older rows lack the last ones. */
const settings = z.object({
  name: z.string(),
  classification: z.enum(["promotional", "transactional"]),
  baseAggregation: z.enum(["daily", "hourly"]),
  trackLinks: z.enum(["enabled", "disabled"]),
  trackOpens: z.boolean().default(true),
  priority: z.number().int(),
  bcc: z.string().nullable(),
  bccEnabled: z.boolean(),
  strict: z.boolean().default(false),
  onUnknown: z.enum(["skip", "resend"]).nullish(),
  entry: z.object({ holdoutPercent: z.number() }).default({ holdoutPercent: 0 }),
});
/** Trigger of a template that goes to an audience. Older rows have none. */
const audience = z.object({
  triggers: z
    .object({ recurring: z.object({ enabled: z.boolean(), "audience-key": z.string().optional() }).optional() })
    .nullish(),
});
export type TemplateSendSettings = z.output<typeof settings>;

/** Template as it is stored. */
export interface TemplateToFreeze {
  readonly key: string;
  readonly channel: string;
  readonly tags: readonly string[] | null;
  readonly transportId: string | null;
  /** JSON text. */
  readonly settings: string;
}

/** @param text JSON. */
export function readSendSettings(text: string): TemplateSendSettings {
  const input: unknown = JSON.parse(text);
  return settings.parse(input);
}

/** Returns a template as it is sent now. @param content JSON text. @param includes texts by key of all that the content leads to. */
export function freezeTemplate(
  template: TemplateToFreeze,
  content: string,
  includes: Readonly<Record<string, string>>,
): FrozenMessage {
  const { bccEnabled, bcc, trackLinks, onUnknown, ...shared } = readSendSettings(template.settings);
  const { key, channel, tags, transportId } = template;
  const { tests, variants, ...base } = readTemplateContent(content);
  const experiment = freezeExperiment(tests, variants);
  return {
    ...{ channel, transportId, key, includes: { ...includes }, content: base },
    ...{ name: shared.name, classification: shared.classification, priority: shared.priority, strict: shared.strict },
    tags: [...(tags ?? [])],
    audienceKeys: audienceKeysOf(template.settings),
    bcc: bccEnabled ? bcc : null,
    trackLinks: trackLinks === "enabled",
    trackOpens: shared.trackOpens,
    holdoutPercent: shared.entry.holdoutPercent,
    onUnknown: onUnknown ?? defaultOnUnknown(shared.classification),
    ...(experiment !== undefined && { experiment }),
  };
}

/** Returns the key of the saved audience that an enabled trigger sends to. @param text JSON. */
function audienceKeysOf(text: string): string[] {
  const provided: unknown = JSON.parse(text);
  const { recurring } = audience.parse(provided).triggers ?? {};
  const key = recurring?.["audience-key"];
  return recurring?.enabled === true && key !== undefined ? [key] : [];
}
