import { isDeepStrictEqual } from "node:util";
import { storableText } from "@headwater/api/paging/query";
import { defineResource } from "@headwater/api/resources/defineResource";
import type { Checking, InUse, ResourcePorts, Viewing, Writing } from "@headwater/api/resources/resourceDefinition";
import {
  canonicalChannel,
  eventsUrlContext,
  last4Of,
  secretView,
  toTimestamp,
  transportLimits,
  transportTypes,
} from "@headwater/contracts";
import { type Route, refusal } from "@headwater/http";
import { newTransportId, type Sealer, safeParse, withoutTrailing } from "@headwater/kernel";
import { z } from "zod";
import { batchMessagesOfTransport } from "../batchMessages/batchMessages.ts";
import { invalidContent } from "../messages/prepareParts.ts";
import type { RoutePorts } from "../ports.ts";
import { recallSends } from "../sends/recallSends.ts";
import { templatesOfTransport } from "../templates/templates.ts";
import { checkForeignTexts, mistakesOfForeignTexts } from "./checkForeignTexts.ts";
import {
  clearOtherDefault,
  deletePace,
  isNameTaken,
  lockTransports,
  type StoredTransport,
  transports,
} from "./postgres.ts";
import { invalidTransport, resolveSettings, tryToResolve } from "./resolveSettings.ts";
import { checkTransport } from "./routes/checkTransport.ts";
import { showSettings } from "./settingsView.ts";

type TransportPorts = ResourcePorts &
  Pick<RoutePorts, "sealer" | "transportOutbound" | "isDevelopment" | "renders" | "trackingUrl">;

/** More users are not named; the transport is in use all the same. */
const USERS_NAMED_MAX = 100;

const settings = z
  .record(z.string(), z.unknown())
  .describe(
    "By type. `smtp`: `host`, `port`, `tls` (`required`, `opportunistic` or `none`), `username`, `password`, `fromDomains`, `dkim` " +
      "(`domain`, `selector`, `privateKey` in PEM), `returnPath` (an address with `{token}`). `http`: `url`, `headers`, `body` (Liquid " +
      "that renders to JSON), `accepted` (`statuses`, `idPath`), `idempotent`, `events` (`list`, `map`, `types`: how the events that the " +
      "provider posts are read, as JMESPath). Both: `answerTimeoutSeconds`. All: `connections`, " +
      "`perSecond`, `windows`, `perDomain`, `warmup`. Secrets are read back as `{set, last4}`.",
  );

const body = z.object({
  name: storableText(transportLimits.nameCharacters).min(1),
  channel: storableText(transportLimits.channelCharacters).min(1).overwrite(canonicalChannel),
  type: z.enum(transportTypes),
  settings: settings.optional(),
  default: z.boolean().nullish(),
  enabled: z.boolean().nullish(),
});
const settingsOfType = body.pick({ type: true, settings: true });
const changedBody = body.partial();

const shape = z.strictObject({
  id: z.string(),
  name: z.string(),
  channel: z.string(),
  type: z.enum(transportTypes),
  settings: z.record(z.string(), z.unknown()),
  default: z.boolean(),
  enabled: z.boolean(),
  eventsUrl: secretView.optional().describe("Address to which the provider posts events; POST answers it whole."),
  ct: z.string(),
  lm: z.string(),
});

function toRecord(row: StoredTransport, sealer: Sealer | undefined): z.input<typeof shape> {
  const { id, name, channel, type, isDefault, enabled, createdAt, updatedAt } = row;
  const secret = eventsSecretOf(row, sealer);
  return {
    ...{ id, name, channel, type, settings: showSettings(type, row.settings), default: isDefault, enabled },
    ...(secret !== undefined && { eventsUrl: { set: true, last4: last4Of(secret) } }),
    ...{ ct: toTimestamp(createdAt), lm: toTimestamp(updatedAt) },
  };
}

/** Returns the secret by which the provider of an HTTP transport posts events. */
function eventsSecretOf({ id, type }: Pick<StoredTransport, "id" | "type">, sealer: Sealer | undefined) {
  return type === "http" ? sealer?.tokenOf(eventsUrlContext(id)) : undefined;
}

const example = {
  id: "65f0c0ffee65f0c0ffee00c1",
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

/** Returns the settings of a new transport as they are stored, and all that is wrong with them. */
async function trySettings(provided: object, { account, caller, key: transportId, ports }: Checking<TransportPorts>) {
  const { type, settings } = safeParse(settingsOfType, provided).data ?? {};
  const ids = { accountId: caller.account.id, transportId };
  const tried = type && tryToResolve({ type, given: settings ?? {}, ...ids }, ports);
  const problems = [...(tried?.problems ?? []), ...(await mistakesOfForeignTexts(account, settings, ports))];
  return { settled: tried?.settled, problems };
}

/** Flags as bodies give them. */
type Flags = Partial<Pick<z.output<typeof body>, "default" | "enabled">>;

/** Returns flags as they are stored; one that is absent or `null` has its default. */
function flagsOf({ default: isDefault, enabled }: Flags) {
  return { isDefault: isDefault ?? false, enabled: enabled ?? true };
}

/** Returns what is wrong with the members together. */
function problemsOfMembers(
  { channel, type, isDefault }: Pick<StoredTransport, "channel" | "type" | "isDefault">,
  { isDevelopment }: Pick<TransportPorts, "isDevelopment">,
) {
  const wrong = type === "smtp" && channel !== "email";
  const channels = { path: "/channel", code: "bad_value", message: "SMTP carries email alone.", allowed: ["email"] };
  const message = "A transport that only writes to the log is a default in development alone.";
  const isLost = type === "log" && isDefault && !isDevelopment;
  return [...(wrong ? [channels] : []), ...(isLost ? [{ path: "/default", code: "not_allowed", message }] : [])];
}

/** Checks that the name of a transport is free, and makes it its channel's only default where it is one. Under `lockTransports` alone. */
async function claim(
  { name, channel, isDefault }: Pick<StoredTransport, "name" | "channel" | "isDefault">,
  { transaction, account, key, nowMs }: Writing<TransportPorts>,
): Promise<void> {
  if (await isNameTaken(transaction, { account, key }, name)) throw nameTaken(name);
  if (isDefault) await clearOtherDefault(transaction, { account, key }, { channel, nowMs });
}

function fixed(member: string) {
  return { path: `/${member}`, code: "not_allowed", message: `\`${member}\` cannot be changed.` };
}

function nameTaken(taken: string) {
  const message = `A transport with the name ${JSON.stringify(taken)} already exists.`;
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: "/name", code: "bad_value", message }] });
}

const inUse: InUse<StoredTransport> = {
  code: "TRANSPORT_IN_USE",
  message: "Messages or templates use this transport.",
  async users(transaction, transport) {
    const templates = await templatesOfTransport(transaction, transport, USERS_NAMED_MAX);
    const messages = await batchMessagesOfTransport(transaction, transport, USERS_NAMED_MAX - templates.length);
    return [
      ...templates.map((key) => `The automation template ${key} uses it.`),
      ...messages.map((id) => `The batch message ${id} uses it.`),
    ];
  },
};

const plainRoutes = defineResource({
  resource: "transports",
  noun: "transport",
  table: transports,
  shape,
  example,
  toRecord: (row, { ports: { sealer } }: Viewing<TransportPorts>) => toRecord(row, sealer),
  versioned: ({ name, channel, type, settings, isDefault, enabled }) => [
    name,
    channel,
    type,
    settings,
    isDefault,
    enabled,
  ],
  lock: lockTransports,
  list: {
    operationId: "listTransports",
    summary: "Lists transports in order of creation.",
    sorts: { ct: "createdAt", name: "name" },
    filters: { channel: storableText(1_024) },
  },
  get: { operationId: "getTransport", summary: "Returns a transport by its id." },
  create: {
    operationId: "createTransport",
    summary: "Creates a transport: a way out for the messages of a channel.",
    description:
      "A taken name is a 422 KEY_MUST_BE_UNIQUE. A default transport takes the place of the channel's former default.",
    body,
    requestExample: {
      ...{ name: "Short messages", channel: "sms", type: "http", default: true },
      settings: {
        url: "https://sms.example.com/v1/messages",
        headers: { accept: "application/json" },
        accepted: { statuses: [200, 202], idPath: "id" },
        perSecond: 20,
      },
    },
    keyOf: newTransportId,
    furtherProblems: async (received, checking) => (await trySettings(received, checking)).problems,
    async check(given, checking) {
      const { settled: resolved, problems } = await trySettings(given, checking);
      const all = [...problemsOfMembers({ ...given, ...flagsOf(given) }, checking.ports), ...problems];
      if (resolved === undefined || all.length > 0) throw invalidContent(all);
      return { found: resolved };
    },
    async toMembers(given, _, { found: settings, ...writing }) {
      if (settings === undefined) throw new Error("a new transport has settings");
      const { name, channel, type } = given;
      const members = { name, channel, type, settings, ...flagsOf(given) };
      await claim(members, writing);
      // Messages that name no transport wait for the rates of the former default.
      if (members.isDefault) await recallSends(writing.transaction, writing.account, "rate");
      return members;
    },
    secret: {
      members: {
        eventsUrl: z
          .url()
          .optional()
          .describe("Of an HTTP transport: where its provider posts events. It is shown this once."),
      },
      read({ type }, { key: id, ports: { sealer, trackingUrl } }) {
        const secret = eventsSecretOf({ id, type }, sealer);
        return secret === undefined ? {} : { eventsUrl: `${withoutTrailing(trackingUrl, "/")}/t/in/${id}/${secret}` };
      },
    },
  },
  update: {
    operationId: "updateTransport",
    summary: "Updates a transport. Absent members stay unchanged.",
    description:
      "`settings` go into those that are stored: `null` removes one, a secret written back as `{set, last4}` stays. `channel` and `type` cannot be changed.",
    body: changedBody,
    requestExample: { settings: { perSecond: 80 }, enabled: true },
    async check({ settings }, { account, ports }) {
      await checkForeignTexts(account, settings, ports);
      return undefined;
    },
    async toMembers(changes, stored, writing) {
      const { ports, caller } = writing;
      const { name = stored.name, channel = stored.channel, type = stored.type } = changes;
      const { default: isDefault = stored.isDefault, enabled = stored.enabled } = changes;
      const flagged = { channel: stored.channel, type: stored.type, ...flagsOf({ default: isDefault, enabled }) };
      const problems = [
        ...(channel === stored.channel ? [] : [fixed("channel")]),
        ...(type === stored.type ? [] : [fixed("type")]),
        ...problemsOfMembers(flagged, ports),
      ];
      if (problems.length > 0) throw invalidTransport(problems);
      const ids = { accountId: caller.account.id, transportId: stored.id };
      const wanted = { type: stored.type, given: changes.settings, before: stored.settings, ...ids };
      const settings = changes.settings === undefined ? stored.settings : resolveSettings(wanted, ports);
      const members = { ...flagged, name, settings };
      if (isDeepStrictEqual({ ...stored, ...members }, stored)) return members;
      await claim(members, writing);
      // Messages that name no transport may wait for the rates of the former default.
      await recallSends(writing.transaction, writing.account, "rate");
      return members;
    },
  },
  delete: {
    operationId: "deleteTransport",
    summary: "Deletes an unused transport, with its secrets.",
    description: "A transport in use is a 422 TRANSPORT_IN_USE, and `details` names the messages and templates.",
    inUse,
    async release({ transaction }, transport) {
      await deletePace(transaction, transport);
      return {};
    },
  },
});

export function transportRoutes(ports: TransportPorts & Pick<RoutePorts, "resolveTxt">): Route[] {
  return [...plainRoutes(ports), checkTransport(ports)];
}
