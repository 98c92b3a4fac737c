import { z } from "zod";
import { frozenExperiment } from "./frozenExperiment.ts";
import { storedContentShape } from "./storedContent.ts";

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
  /** Keys of the saved audiences that it goes to. */
  audienceKeys: z.array(z.string()).default([]),
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
export function defaultOnUnknown(classification: FrozenMessage["classification"]): FrozenMessage["onUnknown"] {
  return classification === "transactional" ? "resend" : "skip";
}
