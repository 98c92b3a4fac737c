import { z } from "zod";
import { asciiDomain } from "./mailDomain.ts";
import { secretView, storedSecret } from "./storedSecrets.ts";

/** Kinds of message transports. */
export const transportTypes = ["smtp", "http", "log"] as const;
export type TransportType = (typeof transportTypes)[number];

/** Limits of a transport and its settings. */
export const transportLimits = {
  nameCharacters: 128,
  channelCharacters: 128,
  secretCharacters: 16_384,
  connections: 1_000,
  perSecond: 100_000,
  windows: 10,
  domains: 1_000,
  warmupDays: 365,
  dkimKeys: 20,
  headers: 50,
  bodyBytes: 65_536,
  /** Seconds that an answer after the final dot is waited for. */
  answerTimeoutSecondsUsual: 600,
  answerTimeoutSecondsMax: 3_600,
  eventExpressionCharacters: 1_024,
  eventTypes: 100,
} as const;

const DOMAIN_CHARACTERS_MAX = 253;
const DOMAIN_LABEL = /^[a-z0-9-]{1,63}$/;
const HOST = /^[A-Za-z0-9._-]{1,255}$|^[0-9A-Fa-f:.]{2,45}$/;
/** Letters of any script: a URL's delimiters would be cut away with what is behind them. */
const UNICODE_HOST = /^[\p{L}\p{M}\p{N}._-]{1,255}$/u;
const SELECTOR = /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?)*$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
const RETURN_PATH = /^[A-Za-z0-9.!#$%&'*+/=?^_`|~-]*\{token\}[A-Za-z0-9.!#$%&'*+/=?^_`|~-]*@([^@]+)$/;
const CONTROL = /\p{Cc}/u;
/** Headers that the connection, the body or the signature sets. */
const OWN_HEADERS =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|idempotency-key|webhook-.*)$/i;
/** Headers of one connection alone, which no request may set. */
const CONNECTION_HEADERS = /^(keep-alive|proxy-connection)$/i;
/** Characters that the value of a header may have: a request with another one is never made. */
const HEADER_VALUE = /^[\t\x20-\x7e\xa0-\xff]*$/;
/** A header whose name says that its value is a secret. */
const SECRET_HEADER = /auth|key|token|secret|password|cookie|credential|signature/i;

/** Returns whether a text is a domain of two labels or more, in lower case and in the form that DNS has it. */
export function isDomain(text: string): boolean {
  if (text.length > DOMAIN_CHARACTERS_MAX) return false;
  const labels = text.split(".");
  return labels.length > 1 && labels.every(isDomainLabel);
}

function isDomainLabel(label: string): boolean {
  return DOMAIN_LABEL.test(label) && !label.startsWith("-") && !label.endsWith("-");
}

const { perSecond: RATE_MAX } = transportLimits;
const bad = (message: string) => ({ message, params: { code: "bad_value" } });
const line = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .max(charactersMax)
    .refine((text) => !CONTROL.test(text), bad("has control characters"));
const domain = z
  .string()
  .transform(asciiDomain)
  .refine((text) => isDomain(text), bad("is not a domain"));
const host = z
  .string()
  .transform((text) => (UNICODE_HOST.test(text) && !HOST.test(text) ? asciiDomain(text) : text))
  .refine((text) => HOST.test(text), bad("is not a host"));
const rate = z.number().positive().max(RATE_MAX);
const count = z.number().int().min(1);

const rates = {
  connections: count.max(transportLimits.connections).optional(),
  perSecond: rate.optional(),
  windows: z
    .array(
      z.object({
        count: count.max(1_000_000_000),
        per: z.object({ n: count.max(1_000), unit: z.enum(["second", "minute", "hour", "day", "week"]) }),
      }),
    )
    .max(transportLimits.windows)
    .optional(),
  perDomain: z
    .record(domain, rate)
    .refine(atMost(transportLimits.domains), { message: "has too many domains", params: { code: "too_many" } })
    .optional(),
  warmup: z
    .array(z.object({ day: count.max(10_000), perDay: count.max(1_000_000_000) }))
    .max(transportLimits.warmupDays)
    .refine((days) => days.every(({ day }, index) => day > (days[index - 1]?.day ?? 0)), bad("has days out of order"))
    .optional(),
};

const returnPath = line(320).refine((text) => {
  const [, host = ""] = RETURN_PATH.exec(text) ?? [];
  return text.split("{token}").length === 2 && isDomain(host.toLowerCase());
}, bad("is not an address with {token} before the @"));

const httpUrl = line(2_048).refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}, bad("is not an http or https URL without credentials"));

/** Meanings of events that a provider reports. `incoming` is a message of a person, `none` is passed over. */
export const providerEventTypes = [
  ...(["open", "click", "bounce", "hard-bounce", "soft-bounce", "complaint", "optout", "incoming", "none"] as const),
] as const;
export type ProviderEventType = (typeof providerEventTypes)[number];

const expression = z.string().min(1).max(transportLimits.eventExpressionCharacters);

/** Members of one event, each a JMESPath expression over the event as the provider sends it. */
export const providerEventMembers = {
  type: expression,
  /** Our id of the send, as the provider got it with the message. */
  mcID: expression.optional(),
  /** ISO 8601, or seconds or milliseconds since 1970. */
  at: expression.optional(),
  /** The provider's id of the event: a repeat has the same. */
  id: expression.optional(),
  bounceType: expression.optional(),
  kind: expression.optional(),
  code: expression.optional(),
  text: expression.optional(),
  reason: expression.optional(),
  url: expression.optional(),
  /** Address of the person who wrote. */
  from: expression.optional(),
};

/** Mapping of the events that a provider posts. */
export const providerEvents = z.object({
  /** Expression over the whole body; default: the body is the event, or a list of them. */
  list: expression.optional(),
  map: z.object(providerEventMembers),
  /** Their names of types; one that is not named here counts when it is one of ours. */
  types: z
    .record(z.string().min(1).max(transportLimits.nameCharacters), z.enum(providerEventTypes))
    .refine(atMost(transportLimits.eventTypes), { message: "has too many types", params: { code: "too_many" } })
    .optional(),
});
export type ProviderEvents = z.output<typeof providerEvents>;

/** Returns the settings of each type, with secrets in the given shapes. Members that are not named here are dropped. */
function settingsWith<Secret extends z.ZodType, Name extends z.ZodType<string, string>, Value extends z.ZodType>(
  secret: Secret,
  header: { readonly name: Name; readonly value: Value },
) {
  return {
    smtp: z.object({
      ...rates,
      host,
      port: z.number().int().min(1).max(65_535).optional(),
      tls: z.enum(["required", "opportunistic", "none"]).optional(),
      username: line(1_024).optional(),
      password: secret.optional(),
      fromDomains: z.array(domain).max(transportLimits.domains).optional(),
      dkim: z
        .array(
          z.object({
            domain,
            selector: z.string().max(253).regex(SELECTOR, "is not a selector"),
            privateKey: secret,
          }),
        )
        .max(transportLimits.dkimKeys)
        .optional(),
      returnPath: returnPath.optional(),
      answerTimeoutSeconds: count.max(transportLimits.answerTimeoutSecondsMax).optional(),
    }),
    http: z.object({
      ...rates,
      url: httpUrl,
      headers: z
        .record(header.name, header.value)
        .refine(atMost(transportLimits.headers), { message: "has too many headers", params: { code: "too_many" } })
        .optional(),
      body: z.string().max(transportLimits.bodyBytes).optional(),
      accepted: z
        .object({ statuses: z.array(z.number().int().min(200).max(599)).min(1).max(100), idPath: line(1_024) })
        .partial()
        .optional(),
      idempotent: z.boolean().optional(),
      events: providerEvents.optional(),
      answerTimeoutSeconds: count.max(transportLimits.answerTimeoutSecondsMax).optional(),
    }),
    log: z.object(rates),
  };
}

function atMost(max: number) {
  return (members: object) => Object.keys(members).length <= max;
}

/** A secret as a body gives it: its text, or `{set, last4}` as it was read, for the stored one. */
const writtenSecret = z.union([z.string().min(1).max(transportLimits.secretCharacters), secretView]);

const storedHeaderName = z
  .string()
  .refine((name) => HEADER_NAME.test(name), bad("is not the name of a header"))
  .refine((name) => !OWN_HEADERS.test(name), bad("is set by the transport itself"));
const writtenHeaderName = storedHeaderName.refine(
  (name) => !CONNECTION_HEADERS.test(name),
  bad("is set by the connection itself"),
);
const storedHeaderText = line(8_192);
const writtenHeaderText = storedHeaderText.refine(
  // Control characters are told already.
  (text) => CONTROL.test(text) || HEADER_VALUE.test(text),
  bad("has characters that a header cannot carry: it takes those of Latin-1"),
);

/** Settings by type, as bodies give them. */
export const writtenTransports = settingsWith(writtenSecret, {
  name: writtenHeaderName,
  value: z.union([writtenHeaderText, secretView]),
});
/** Settings by type, as they are stored: headers that former versions took are still read. */
export const storedTransports = settingsWith(storedSecret, {
  name: storedHeaderName,
  value: z.union([storedHeaderText, storedSecret]),
});

export type StoredTransportSettings = z.output<(typeof storedTransports)[TransportType]>;

/** True for a header whose value is sealed and never shown. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

/** Context of the secret in the address to which a provider posts events. */
export function eventsUrlContext(transportId: string): string {
  return `transport events ${transportId}`;
}

/** Context under which a secret of a transport is sealed. `place` is `password`, `dkim/<domain>/<selector>` or `headers/<name>`. */
export function transportSecretContext(accountId: string, transportId: string, position: string): string {
  return `${accountId}/transport/${transportId}/${position}`;
}
