import { createHash } from "node:crypto";
import {
  type Account,
  type AccountSettings,
  identifierOfChannel,
  isPlaceholder,
  parseMcId,
  parseTime,
  partitionOf,
  toTimestamp,
} from "@headwater/contracts";
import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { subjectOf } from "@headwater/intake/operations/jsonSchema";
import { upsertContact } from "@headwater/intake/operations/upsertContact/upsertContact";
import { MESSAGE_EVENTS_SCOPE, validateItem } from "@headwater/intake/operations/validateItem";
import { type FrameAppend, type FrameEntry, topicNamed } from "@headwater/topics";
import type { ProviderEvent } from "../../providerEvents/readProviderEvents.ts";
import type { HelpAnswer } from "./helpAnswers.ts";

const CHARACTERS_READ = 200;

const TOPIC = "intake.records";
const TEXT_CHARACTERS = 200;
const HOUR_MS = 3_600_000;
const URL_CHARACTERS = 4_096;
/** Codes are numbers (`550`, `30003`) or words (`5.1.1`, `ABSENT`), as the provider has them. */
const NUMBER = /^(0|[1-9]\d{0,8})$/;
const SECONDS = /^\d{9,11}(\.\d+)?$/;
const MILLISECONDS = /^\d{12,14}$/;

/** A post of a provider. */
export interface Posted {
  readonly account: Account;
  readonly transportId: string;
  readonly channel: string;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Item of an operation, as intake takes it. */
interface Item {
  readonly operation: typeof createContactactivities | typeof upsertContact;
  readonly body: object;
}

/** Records of a post, with the answers that persons get. */
export interface ProviderRecords {
  readonly appends: readonly FrameAppend[];
  /** Events that became records. */
  readonly accepted: readonly ProviderEvent[];
  readonly answers: readonly HelpAnswer[];
}

/** Turns the events of a provider into records, as a key with the scope `message-events` would send them. */
export function providerRecords(events: readonly ProviderEvent[], posted: Posted): ProviderRecords {
  const entries = new Map<Item["operation"], FrameEntry[]>([
    [upsertContact, []],
    [createContactactivities, []],
  ]);
  const accepted = events.filter((event, position) => {
    const created = itemsOf(event, posted).flatMap(({ operation, body }, index) =>
      entriesOf({ operation, body }, posted, `${position}:${index}`).map((entry) => ({ operation, entry })),
    );
    for (const { operation, entry } of created) entries.get(operation)?.push(entry);
    return created.length > 0;
  });
  const appends = [...entries].flatMap(([operation, own]) =>
    own.length === 0 ? [] : [{ topic: TOPIC, subject: subjectOf(operation), account: posted.account.id, entries: own }],
  );
  return { appends, accepted, answers: events.flatMap((event) => answersTo(event, posted)) };
}

function itemsOf(event: ProviderEvent, posted: Posted): Item[] {
  if (event.type === "incoming") return incomingItems(event, posted);
  const send = event.mcID === undefined ? undefined : parseMcId(event.mcID);
  if (send === undefined || send.account !== posted.account.id || send.type === "t") return [];
  const identifiers = { cID: send.contact };
  const wish = event.type === "optout" ? [wishOf(identifiers, posted.channel, "unsubscribed")] : [];
  return [...wish, activityOf(identifiers, activityBody(event, posted))];
}

/** A person who wrote by itself: its words are its will. */
function incomingItems(event: ProviderEvent, posted: Posted): Item[] {
  const { account, channel, nowMs } = posted;
  const keyword = keywordOf(event.text ?? "", account.settings.messaging.smsKeywords);
  if (event.from === undefined || keyword === undefined || keyword === "help") return [];
  const identifier = { name: identifierOfChannel(channel), value: event.from };
  // It finds nobody, and would be stored as a contact of its own.
  if (isPlaceholder(identifier)) return [];
  const identifiers = { [identifier.name]: identifier.value };
  if (keyword === "start") return [wishOf(identifiers, channel, "subscribed")];
  const optout = { name: "optout", time: timeOf(event, nowMs), UID: uidOf(event, posted), properties: { channel } };
  return [wishOf(identifiers, channel, "unsubscribed"), activityOf(identifiers, optout)];
}

function answersTo(event: ProviderEvent, posted: Posted): HelpAnswer[] {
  const { account, transportId, channel, nowMs } = posted;
  const { smsKeywords } = account.settings.messaging;
  const { helpText: text } = smsKeywords;
  const isAsked = event.type === "incoming" && keywordOf(event.text ?? "", smsKeywords) === "help";
  if (!isAsked || event.from === undefined || text === undefined) return [];
  // Without an id of its provider, a question that comes again within the hour is a repeat.
  const hour = event.id === undefined ? `:${Math.floor(nowMs / HOUR_MS)}` : "";
  const question = `${uidOf(event, posted)}${hour}`;
  return [{ account: account.number, transportId, channel, to: event.from, text, question }];
}

function wishOf(identifiers: object, channel: string, subscribeStatus: "subscribed" | "unsubscribed"): Item {
  const attributes = { channels: { [channel]: { subscribeStatus } } };
  const force = subscribeStatus === "subscribed" && { forceSubscribe: true };
  return { operation: upsertContact, body: { identifiers, attributes, canBeUpdated: true, ...force } };
}

function activityOf(identifiers: object, event: object): Item {
  return { operation: createContactactivities, body: { contact: { identifiers }, contactactivities: [event] } };
}

function activityBody(event: ProviderEvent, posted: Posted): object {
  const { channel, nowMs } = posted;
  const { kind, code, text, reason, url, mcID = "" } = event;
  const [action, bounceType] = actionOf(event);
  const once = action === "bounce" || action === "complaint" || action === "optout";
  return {
    name: action,
    time: timeOf(event, nowMs),
    UID: once ? [action, ...(action === "optout" ? [channel] : []), mcID].join(":") : uidOf(event, posted),
    properties: {
      ...{ mcID, channel },
      ...(bounceType !== undefined && { bounceType }),
      ...short({ kind, text, reason }),
      ...(NUMBER.test(code ?? "") ? { code: Number(code) } : short({ code })),
      ...(url !== undefined && { url: url.slice(0, URL_CHARACTERS) }),
    },
  };
}

function actionOf({ type, bounceType }: ProviderEvent): readonly [string, ("hard" | "soft")?] {
  if (type === "hard-bounce") return ["bounce", "hard"];
  if (type === "soft-bounce") return ["bounce", "soft"];
  if (type === "bounce") return ["bounce", /soft|transient|temporary/i.test(bounceType ?? "") ? "soft" : "hard"];
  return [type];
}

function short(texts: Readonly<Record<string, string | undefined>>): object {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => {
      const cleaned = (text ?? "")
        .replaceAll(/\p{Cc}+/gu, " ")
        .trim()
        .slice(0, TEXT_CHARACTERS)
        .toWellFormed();
      return cleaned === "" ? [] : [[name, cleaned]];
    }),
  );
}

/** A time that cannot be read, lies ahead or before 1970 is now. */
function timeOf({ at = "" }: ProviderEvent, nowMs: number): string {
  const ms = SECONDS.test(at) ? Number(at) * 1_000 : MILLISECONDS.test(at) ? Number(at) : parseTime(at);
  return toTimestamp(ms === undefined || !(ms >= 0) ? nowMs : Math.floor(Math.min(ms, nowMs)));
}

/** An event that comes again has the same, by the provider's id or by all that it says. */
function uidOf({ type, id, raw }: ProviderEvent, { transportId }: Posted): string {
  const own = createHash("sha256").update(id ?? JSON.stringify(raw));
  return `${type}:${transportId}:${own.digest("base64url").slice(0, 22)}`;
}

function entriesOf({ operation, body }: Item, { account, requestId, nowMs }: Posted, place: string): FrameEntry[] {
  const result = validateItem(operation, account, body, { nowMs, scopes: [MESSAGE_EVENTS_SCOPE] });
  if (result.kind === "rejected") return [];
  return result.records.map(({ identity, members }, index) => ({
    partition: partitionOf(identity, topicNamed(TOPIC).partitions),
    key: identity,
    text: JSON.stringify({ id: `${requestId}:${place}:${index}`, receivedAt: nowMs, ...members }),
  }));
}

type Keywords = AccountSettings["messaging"]["smsKeywords"];

/** Meaning of the first word of a message that a person wrote; undefined for a letter to somebody. */
export function keywordOf(text: string, { stop, start, help }: Keywords): "stop" | "start" | "help" | undefined {
  const written = comparable(text.trimStart().slice(0, CHARACTERS_READ));
  // Words of accounts may hold other characters, and persons put others around a word.
  const [token = ""] = /^\S+/.exec(written) ?? [];
  const [word = ""] = /[\p{L}\p{M}\p{N}_-]+/u.exec(written) ?? [];
  const isOne = (words: readonly string[]) => words.map(comparable).some((one) => one === token || one === word);
  if (isOne(stop)) return "stop";
  if (isOne(start)) return "start";
  return isOne(help) ? "help" : undefined;
}

/** Telephones write accents apart from their letters, and Latin letters as wide as others. */
function comparable(text: string): string {
  return text.normalize("NFKC").toUpperCase();
}
