import { z } from "zod";
import type { MapContext, PartnerAuth, PartnerStatuses } from "../endpoint.ts";
import { id, maybeId, present } from "../reading.ts";

/** Members of every message. The protocol's version stands under one of two names and is said again in the answer. */
export const envelope = {
  type: z.string(),
  id,
  timestamp_ms: z.union([z.number(), z.string()]),
  firehose_version: maybeId,
  sdk_version: maybeId,
} as const;

/** Messages of an account hold its key. */
export const accountEnvelope = {
  ...envelope,
  account: z.looseObject({ account_id: maybeId, account_settings: z.looseObject({}) }),
} as const;

interface Envelope {
  readonly id: string | number;
  readonly firehose_version?: string | number | undefined;
  readonly sdk_version?: string | number | undefined;
}

/** The answer's envelope: the message's id and version again. */
export function answerTo(message: Envelope, type: string, { nowMs }: Pick<MapContext, "nowMs">) {
  const { firehose_version, sdk_version } = message;
  return { type, id: message.id, timestamp_ms: nowMs, ...present({ firehose_version, sdk_version }) };
}

/** The key in the body. */
export const bodyKey: PartnerAuth = { kind: "bodyKey", path: ["account", "account_settings", "apiKey"] };

export const messageStatuses: PartnerStatuses = {
  accepted: 200,
  badShape: 422,
  badJson: 400,
  wrongType: "UNSUPPORTED_MEDIA_TYPE",
};

export const accountSample = {
  account: { account_id: 120_001, account_settings: { apiKey: "hw_the_key_of_the_account" } },
};
