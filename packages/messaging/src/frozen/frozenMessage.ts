import { experimentMetrics, experimentTypes } from "@headwater/contracts";
import { z } from "zod";
import { storedContentShape } from "./storedContent.ts";

const variant = z.object({ name: z.string(), weight: z.number(), content: storedContentShape });

/** An enabled experiment as it stood when the send began; its variants have their whole contents. */
const frozenExperiment = z.object({
  name: z.string(),
  type: z.enum(experimentTypes),
  variants: z.array(variant),
  metric: z.enum(experimentMetrics).optional(),
  /** Checked criteria of the contacts that reached the goal. */
  goal: z.unknown().optional(),
  testPercent: z.number().optional(),
  decideAfterMinutes: z.number().optional(),
});

/** Everything that a sender needs to know of a batch message or template, as it stood when the send began. */
export const frozenMessageShape = z.object({
  channel: z.string(),
  classification: z.enum(["promotional", "transactional"]),
  content: storedContentShape,
  /** Texts of all includes that the content leads to, by key. */
  includes: z.record(z.string(), z.string()),
  /** Null: the default of the channel. */
  transportId: z.string().nullable(),
  trackLinks: z.boolean(),
  trackOpens: z.boolean(),
  /** 1 to 4, the highest goes first. */
  priority: z.number().int(),
  bcc: z.string().nullable(),
  tags: z.array(z.string()),
  name: z.string(),
  /** Key of a template; null for batch messages. */
  key: z.string().nullable(),
  /** A contact that lacks a value of the content is skipped. */
  strict: z.boolean(),
  /** Messages that leave in any minute, at most; absent where only the transport's rates hold. */
  perMinute: z.number().int().optional(),
  /** Key of the domain that its links begin with; absent for the tracker's own. */
  vanityDomainKey: z.string().optional(),
  /** Share of the audience that gets nothing. */
  holdoutPercent: z.number().default(0),
  /** Says what follows an answer that was lost. */
  onUnknown: z.enum(["skip", "resend"]),
  experiment: frozenExperiment.optional(),
});
export type FrozenMessage = z.output<typeof frozenMessageShape>;

/** @param text JSON, as the message was stored when its send began. */
export function readFrozenMessage(text: string): FrozenMessage {
  const value: unknown = JSON.parse(text);
  return frozenMessageShape.parse(value);
}

/** Returns what a message does that does not say it: only transactional messages go out again. */
export function usualOnUnknown(classification: FrozenMessage["classification"]): FrozenMessage["onUnknown"] {
  return classification === "transactional" ? "resend" : "skip";
}
