import { type Json, type Version, type Written, ZERO_VERSION } from "@headwater/contracts";
import { Members } from "../members/members.ts";
import { type AttributeClears, noAttributeClears, removeCleared } from "./attributeClears.ts";
import type { Apart, ChannelState, Contact, FormerIdentifier } from "./model.ts";

/**
 * The stored form of a contact's members. Versions stand once in `v` and are named by their place, for a write sets
 * most members at once. Lists are flat, for that is quick to write and to read: `{"v":[…],"identifiers":[name,value,…],
 * "attributes":[name,value,version,…],"channels":[name,{address?:[value,version],subscribedAt?,unsubscribedAt?,unsubscribed?,
 * firstUnsubscribed?,forced?,subscribed?,pending?,bounced?:[address,version],softBounces?:[day,…]},…],"apart"?:{since,undone?},"lost"?:true,"formerly"?:[name,value,by,until,…]}`. A name with several identifiers stands
 * before each of them.
 */
export function toDocument(contact: Contact): string {
  let v: Version[] = [];
  // The first stands in no map, for most contacts have no second.
  let others: Map<Version, number> | undefined;
  const position = (version: Version): number => {
    // Nearly always the first: one write set it all.
    if (version === v[0]) return 0;
    if (v.length === 0) {
      v = [version];
      return 0;
    }
    others ??= new Map();
    const known = others.get(version);
    if (known !== undefined) return known;
    others.set(version, v.length);
    return v.push(version) - 1;
  };
  const identifiers: string[] = [];
  contact.identifiers.forEach((values, name) => {
    for (const value of values) identifiers.push(name, value);
  });
  const attributes = new Array<Json>(3 * contact.attributes.size);
  let at = 0;
  contact.attributes.forEach((name, value, version) => {
    attributes[at++] = name;
    attributes[at++] = value;
    attributes[at++] = position(version);
  });
  const channels = new Array<unknown>(2 * contact.channels.size);
  at = 0;
  contact.channels.forEach((channel, name) => {
    channels[at++] = name;
    channels[at++] = channelDocument(channel, position);
  });
  const { apart, lost } = contact;
  const formerly = contact.identifierHistory?.flatMap(({ name, value, by, until }) => [name, value, by, until]);
  return JSON.stringify({ v, identifiers, attributes, channels, apart, lost, formerly });
}

type Position = (version: Version) => number;

function channelDocument(channel: ChannelState, place: Position): ChannelDocument {
  const { address, subscribedAt, unsubscribedAt, unsubscribed, forced, subscribed, pending } = channel;
  const { firstUnsubscribed, bounced, softBounces } = channel;
  const document: { -readonly [Name in keyof ChannelDocument]: ChannelDocument[Name] } = {};
  if (address !== undefined) document.address = [address.value, place(address.version)];
  if (subscribedAt !== undefined) document.subscribedAt = [subscribedAt.value, place(subscribedAt.version)];
  if (unsubscribedAt !== undefined) document.unsubscribedAt = [unsubscribedAt.value, place(unsubscribedAt.version)];
  if (unsubscribed !== undefined) document.unsubscribed = place(unsubscribed);
  if (firstUnsubscribed !== undefined) document.firstUnsubscribed = place(firstUnsubscribed);
  if (forced !== undefined) document.forced = place(forced);
  if (subscribed !== undefined) document.subscribed = place(subscribed);
  if (pending !== undefined) document.pending = place(pending);
  if (bounced !== undefined) document.bounced = [bounced.value, place(bounced.version)];
  if (softBounces !== undefined) document.softBounces = softBounces;
  return document;
}

/** The output of `toDocument`, as `JSON.parse` returns it. */
interface ContactDocument {
  readonly v: readonly Version[];
  readonly identifiers: readonly string[];
  readonly attributes: readonly Json[];
  readonly channels: readonly (string | ChannelDocument)[];
  readonly apart?: Apart;
  readonly lost?: true;
  readonly formerly?: readonly string[];
}
type WrittenDocument = readonly [Json, number];
interface ChannelDocument {
  readonly address?: WrittenDocument;
  readonly subscribedAt?: WrittenDocument;
  readonly unsubscribedAt?: WrittenDocument;
  readonly unsubscribed?: number;
  readonly firstUnsubscribed?: number;
  readonly forced?: number;
  readonly subscribed?: number;
  readonly pending?: number;
  readonly bounced?: WrittenDocument;
  readonly softBounces?: readonly number[];
}

export interface ContactRow {
  readonly account: number;
  readonly number: number;
  readonly cid: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly version: Version;
  readonly mergedInto: number | null;
  /** Text of the document. */
  readonly doc: string;
}

/**
 * A row of ours, written by `toDocument`: trusted, for this is the projector's hot path.
 * @param clears of the account: values that they took are tombstones.
 */
export function fromRow(row: ContactRow, clears: AttributeClears = noAttributeClears): Contact {
  const document: ContactDocument = JSON.parse(row.doc);
  const contact = {
    account: row.account,
    number: row.number,
    cid: row.cid,
    createdAt: row.createdAt,
    modifiedAt: row.modifiedAt,
    version: row.version,
    characters: row.doc.length,
    mergedInto: row.mergedInto ?? undefined,
    identifiers: identifiersOf(document),
    attributes: attributesOf(document),
    channels: channelsOf(document),
    apart: document.apart,
    lost: document.lost,
    identifierHistory: document.formerly && identifierHistoryOf(document.formerly),
  };
  removeCleared(contact, clears);
  return contact;
}

function identifierHistoryOf(flat: readonly string[]): FormerIdentifier[] {
  const result: FormerIdentifier[] = [];
  for (let at = 0; at < flat.length; at += 4) {
    const [name = "", value = "", by = ZERO_VERSION, until = by] = flat.slice(at, at + 4);
    result.push({ name, value, by, until });
  }
  return result;
}

/** A document for those who only show it: no member of it becomes an object that a fold could change. */
export interface DocumentView {
  /** Name and value in turn; the first value of a name is the shown one. */
  readonly identifiers: readonly string[];
  readonly attributes: Attributes;
  readonly channels: ReadonlyMap<string, ChannelState>;
}

interface Attributes {
  forEach(visit: (name: string, value: Json) => void): void;
}

/** Reads like `fromRow`, from the document's text alone. @param clears of the account: values they took are not shown. */
export function showDocument(doc: string, clears: AttributeClears): DocumentView {
  const document: ContactDocument = JSON.parse(doc);
  return {
    identifiers: document.identifiers,
    attributes: { forEach: (visit) => visitAttributes(document, clears, visit) },
    channels: channelsOf(document),
  };
}

function visitAttributes(
  { attributes, v }: ContactDocument,
  clears: AttributeClears,
  visit: (name: string, value: Json) => void,
): void {
  for (let at = 0; at < attributes.length; at += 3) {
    const name = String(attributes[at]);
    const clear = clears.size === 0 ? undefined : clears.get(name);
    if (clear === undefined || (v[Number(attributes[at + 2])] ?? ZERO_VERSION) > clear) {
      visit(name, attributes[at + 1] ?? null);
    }
  }
}

function identifiersOf({ identifiers }: ContactDocument): Map<string, string[]> {
  const result = new Map<string, string[]>();
  for (let at = 0; at < identifiers.length; at += 2) {
    const [name = "", value = ""] = [identifiers[at], identifiers[at + 1]];
    const values = result.get(name);
    if (values === undefined) result.set(name, [value]);
    else values.push(value);
  }
  return result;
}

function attributesOf({ attributes, v }: ContactDocument): Members {
  const result = new Members();
  for (let at = 0; at < attributes.length; at += 3) {
    const version = v[Number(attributes[at + 2])] ?? ZERO_VERSION;
    result.append(String(attributes[at]), { value: attributes[at + 1] ?? null, version });
  }
  return result;
}

function channelsOf({ channels, v }: ContactDocument): Map<string, ChannelState> {
  const result = new Map<string, ChannelState>();
  const version = (place: number) => v[place] ?? ZERO_VERSION;
  for (let at = 0; at < channels.length; at += 2) {
    const channel = channels[at + 1];
    if (typeof channel === "object") result.set(String(channels[at]), channelState(channel, version));
  }
  return result;
}

function channelState(document: ChannelDocument, version: (place: number) => Version): ChannelState {
  const state: ChannelState = {};
  const written = (pair: WrittenDocument): Written => ({ value: pair[0], version: version(pair[1]) });
  if (document.address !== undefined) state.address = written(document.address);
  if (document.subscribedAt !== undefined) state.subscribedAt = written(document.subscribedAt);
  if (document.unsubscribedAt !== undefined) state.unsubscribedAt = written(document.unsubscribedAt);
  if (document.unsubscribed !== undefined) state.unsubscribed = version(document.unsubscribed);
  if (document.firstUnsubscribed !== undefined) state.firstUnsubscribed = version(document.firstUnsubscribed);
  if (document.forced !== undefined) state.forced = version(document.forced);
  if (document.subscribed !== undefined) state.subscribed = version(document.subscribed);
  if (document.pending !== undefined) state.pending = version(document.pending);
  if (document.bounced !== undefined) state.bounced = written(document.bounced);
  if (document.softBounces !== undefined) state.softBounces = document.softBounces;
  return state;
}

/** The document of a contact that has nothing yet. */
export const emptyDocument = '{"v":[],"identifiers":[],"attributes":[],"channels":[]}';
