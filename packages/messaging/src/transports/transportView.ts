import { successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import { contentVersion } from "@headwater/api/writing/ifMatch";
import { canonicalChannel, shownSecret, toTimestamp, transportLimits, transportTypes } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { Sealer } from "@headwater/kernel";
import { z } from "zod";
import { shownEventsUrl } from "./eventsUrl.ts";
import { showSettings } from "./shownSettings.ts";
import type { StoredTransport, TransportMembers } from "./transports.ts";

const name = storableText(transportLimits.nameCharacters).min(1);
const settings = z
  .record(z.string(), z.unknown())
  .describe(
    "By type. `smtp`: `host`, `port`, `tls` (`required`, `opportunistic` or `none`), `username`, `password`, `fromDomains`, `dkim` " +
      "(`domain`, `selector`, `privateKey` in PEM), `returnPath` (an address with `{token}`). `http`: `url`, `headers`, `body` (Liquid " +
      "that renders to JSON), `accepted` (`statuses`, `idPath`), `idempotent`, `events` (`list`, `map`, `types`: how the events that the " +
      "provider posts are read, as JMESPath). Both: `answerTimeoutSeconds`. All: `connections`, " +
      "`perSecond`, `windows`, `perDomain`, `warmup`. Secrets are read back as `{set, last4}`.",
  );

/** Members of a transport, as bodies give them: `null` gives one its usual value. */
export const transportMembers = {
  name,
  channel: storableText(transportLimits.channelCharacters).min(1).overwrite(canonicalChannel),
  type: z.enum(transportTypes),
  settings: settings.optional(),
  default: z.boolean().nullish(),
  enabled: z.boolean().nullish(),
};

/** Members of a transport that says nothing of them. */
export const usualTransport = { default: false, enabled: true };

export const transportParams = z.strictObject({ id: storableText(1_024) });

/** A transport as answers show it. */
export const transportShape = z.strictObject({
  id: z.string(),
  name: z.string(),
  channel: z.string(),
  type: z.enum(transportTypes),
  settings: z.record(z.string(), z.unknown()),
  default: z.boolean(),
  enabled: z.boolean(),
  eventsUrl: shownSecret.optional().describe("Address to which the provider posts events; POST answers it whole."),
  ct: z.string(),
  lm: z.string(),
});

export const TRANSPORT_MEMBERS = [
  ...(["id", "name", "channel", "type", "settings", "default", "enabled", "eventsUrl", "ct", "lm"] as const),
];

export function transportRecord(stored: StoredTransport, sealer: Sealer | undefined): Record<string, unknown> {
  const { id, channel, type, isDefault, enabled, createdAt, updatedAt } = stored;
  return {
    id,
    name: stored.name,
    channel,
    type,
    settings: showSettings(type, stored.settings),
    default: isDefault,
    enabled,
    ...shownEventsUrl(stored, sealer),
    ct: toTimestamp(createdAt),
    lm: toTimestamp(updatedAt),
  };
}

/** Makes the ETag of what the transport says. */
export function versionOfTransport({ name: own, channel, type, settings: text, isDefault, enabled }: TransportMembers) {
  return contentVersion([own, channel, type, text, isDefault, enabled]);
}

export function unknownTransport() {
  return refusal("RECORD_NOT_FOUND", "No transport has this id.");
}

export function nameTaken(taken: string) {
  const message = `A transport with the name ${JSON.stringify(taken)} already exists.`;
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: "/name", code: "bad_value", message }] });
}

/** Returns what is wrong with the members together. */
export function problemsOfMembers(
  { channel, type, isDefault }: Pick<TransportMembers, "channel" | "type" | "isDefault">,
  isDevelopment: boolean,
) {
  const wrong = type === "smtp" && channel !== "email";
  const channels = { path: "/channel", code: "bad_value", message: "SMTP carries email alone.", allowed: ["email"] };
  const message = "A transport that only writes to the log is a default in development alone.";
  const isLost = type === "log" && isDefault && !isDevelopment;
  return [...(wrong ? [channels] : []), ...(isLost ? [{ path: "/default", code: "not_allowed", message }] : [])];
}

export const transportWritten = successShape.extend({ id: z.string() });
export const transportCreated = transportWritten.extend({
  eventsUrl: z
    .url()
    .optional()
    .describe("Of an HTTP transport: where its provider posts events. It is shown this once."),
});

const ID_EXAMPLE = "65f0c0ffee65f0c0ffee00c1";
export const writtenExample = { success: true, id: ID_EXAMPLE };

export const transportExample = {
  id: ID_EXAMPLE,
  name: "Mail",
  channel: "email",
  type: "smtp",
  settings: {
    ...{ host: "smtp.example.com", port: 587, tls: "required", username: "news" },
    password: { set: true, last4: "9xQf" },
    ...{ fromDomains: ["example.com"], perSecond: 50, perDomain: { "example.org": 5 } },
  },
  default: true,
  enabled: true,
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};
