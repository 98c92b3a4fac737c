import { identityText, partitionOf, type shapes, toTimestamp } from "@headwater/contracts";
import { addContactsToList } from "@headwater/intake/operations/addContactsToList/addContactsToList";
import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { subjectOf } from "@headwater/intake/operations/jsonSchema";
import { removeContactsFromList } from "@headwater/intake/operations/removeContactsFromList/removeContactsFromList";
import { upsertContact } from "@headwater/intake/operations/upsertContact/upsertContact";
import { type FrameAppend, type FrameEntry, topicNamed } from "@headwater/topics";
import { mcIdOf, type SendNames, type TrackingToken } from "../../tracking/trackingToken.ts";
import type { RobotReason } from "./robots.ts";

const TOPIC = "intake.records";

/** A token of a link: it names its account and contact. */
export type NamedToken = TrackingToken & { readonly names: SendNames };

export const messageEventNames = ["open", "click", "optout", "bounce", "complaint"] as const;
export type MessageEventName = (typeof messageEventNames)[number];

/** Something that a contact, or a machine, did with a message. */
export interface MessageEvent {
  readonly name: MessageEventName;
  readonly token: NamedToken;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly robot?: RobotReason | undefined;
  /** Words of the contact about why it unsubscribes. */
  readonly reason?: string | undefined;
  /** Facts of a bounce. */
  readonly facts?: Readonly<Record<string, string | number>> | undefined;
}

/** True for a token of a link; addresses carry tokens without names. */
export function isNamed(token: TrackingToken | undefined): token is NamedToken {
  return token?.names !== undefined;
}

/** Returns the append that writes events of one account as activities, as intake does: keyed by the contact's cID. */
export function appendOf(events: readonly MessageEvent[]): FrameAppend | undefined {
  const [first] = events;
  if (first === undefined) return undefined;
  const account = first.token.names.accountId;
  return { topic: TOPIC, subject: subjectOf(createContactactivities), account, entries: events.map(entryOf) };
}

function entryOf(happened: MessageEvent): FrameEntry {
  const { name, token, requestId, atMs, robot, reason, facts } = happened;
  const mcID = mcIdOf(token) ?? "";
  const { channel, variant } = token.names;
  const { link } = token;
  const event: shapes.EventWrite = {
    name,
    time: toTimestamp(atMs),
    UID: uidOf(happened, mcID),
    ...(robot !== undefined && { device: { robot: true } }),
    properties: {
      mcID,
      channel,
      ...(variant !== undefined && { variant }),
      ...(link !== undefined && { linkID: `${mcID}:${link.place}`, url: link.url }),
      ...(link?.name !== undefined && { linkName: link.name }),
      ...(robot !== undefined && { robotReason: robot }),
      ...(reason !== undefined && { reason }),
      ...facts,
    },
  };
  return toEntry(token, { requestId, atMs, members: { event } });
}

/** Reports of one thing have one `UID`, whatever way they come; each open and click is another. */
function uidOf({ name, token, requestId }: MessageEvent, mcID: string): string {
  switch (name) {
    case "optout":
      return `optout:${token.names.channel}:${mcID}`;
    case "bounce":
    case "complaint":
      return `${name}:${mcID}`;
    case "open":
    case "click":
      return `${name}:${requestId}`;
  }
}

/** A wish of the contact about the channel of a message. */
export interface Wish {
  readonly token: NamedToken;
  readonly status: "subscribed" | "unsubscribed";
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/**
 * Returns the append that writes the contact's wish, by its own will. It stands next to the `optout`: that one counts once for a message,
 * and who subscribed again may unsubscribe by the same link once more.
 */
export function wishOf({ token, status, requestId, atMs }: Wish): FrameAppend {
  const { accountId, channel } = token.names;
  const contact = {
    attributes: { channels: { [channel]: { subscribeStatus: status } } },
    canBeUpdated: true,
    ...(status === "subscribed" && { forceSubscribe: true }),
  };
  const entry = toEntry(token, { requestId, atMs, contact, item: 1 });
  return { topic: TOPIC, subject: subjectOf(upsertContact), account: accountId, entries: [entry] };
}

/** Lists that the contact of a token joins and leaves, by its own will. */
export interface ListChanges {
  readonly token: NamedToken;
  readonly joins: readonly string[];
  readonly leaves: readonly string[];
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** Returns the appends that write changes of lists; none without changes. */
export function listAppendsOf({ token, joins, leaves, requestId, atMs }: ListChanges): FrameAppend[] {
  const account = token.names.accountId;
  const entryAt = (listName: string, item: number) => toEntry(token, { requestId, atMs, members: { listName }, item });
  return [
    { operation: addContactsToList, entries: joins.map(entryAt) },
    {
      operation: removeContactsFromList,
      entries: leaves.map((listName, index) => entryAt(listName, joins.length + index)),
    },
  ].flatMap(({ operation, entries }) =>
    entries.length === 0 ? [] : [{ topic: TOPIC, subject: subjectOf(operation), account, entries }],
  );
}

interface EntryParts {
  readonly requestId: string;
  readonly atMs: number;
  readonly contact?: object;
  readonly members?: object;
  /** Position in the request; default 0. */
  readonly item?: number;
}

function toEntry(token: NamedToken, { requestId, atMs, contact, members, item = 0 }: EntryParts): FrameEntry {
  const { accountId, cID } = token.names;
  const key = identityText(accountId, { name: "cID", value: cID });
  const named = { identifiers: { cID }, ...contact };
  const text = JSON.stringify({ id: `${requestId}:${item}:0`, receivedAt: atMs, contact: named, ...members });
  return { partition: partitionOf(key, topicNamed(TOPIC).partitions), key, text };
}
