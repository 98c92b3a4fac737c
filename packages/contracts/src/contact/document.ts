import type { Version } from "../version.ts";
import { ZERO_VERSION } from "../version.ts";
import type { ChannelState, Contact, Json, Written } from "./model.ts";

/**
 * The stored form of a contact's members. Versions stand once in `v` and are named by their place, for a write sets
 * most members at once: `{"v":[…],"identifiers":{name:[values]},"attributes":[[name,value,version]…],
 * "channels":[[name,{address?:[value,version],subscribedAt?,unsubscribedAt?,unsubscribed?,forced?,subscribed?}]…]}`.
 */
export function toDocument(contact: Contact): string {
  const versions = new Map<Version, number>();
  const place = (version: Version): number => {
    const known = versions.get(version);
    if (known !== undefined) return known;
    versions.set(version, versions.size);
    return versions.size - 1;
  };
  const attributes = [...contact.attributes].map(([name, { value, version }]) => [name, value, place(version)]);
  const channels = [...contact.channels].map(([name, channel]) => [name, channelDocument(channel, place)]);
  const identifiers = [...contact.identifiers];
  return JSON.stringify({ v: [...versions.keys()], identifiers, attributes, channels });
}

type Place = (version: Version) => number;

function channelDocument(channel: ChannelState, place: Place): Record<string, unknown> {
  const written = (member: Written | undefined) =>
    member === undefined ? undefined : [member.value, place(member.version)];
  const at = (version: Version | undefined) => (version === undefined ? undefined : place(version));
  return {
    address: written(channel.address),
    subscribedAt: written(channel.subscribedAt),
    unsubscribedAt: written(channel.unsubscribedAt),
    unsubscribed: at(channel.unsubscribed),
    forced: at(channel.forced),
    subscribed: at(channel.subscribed),
  };
}

/** What `toDocument` writes, as `JSON.parse` answers it. */
interface ContactDocument {
  readonly v: readonly Version[];
  readonly identifiers: readonly (readonly [string, string[]])[];
  readonly attributes: readonly (readonly [string, Json, number])[];
  readonly channels: readonly (readonly [string, ChannelDocument])[];
}
type WrittenDocument = readonly [Json, number];
interface ChannelDocument {
  readonly address?: WrittenDocument;
  readonly subscribedAt?: WrittenDocument;
  readonly unsubscribedAt?: WrittenDocument;
  readonly unsubscribed?: number;
  readonly forced?: number;
  readonly subscribed?: number;
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

/** A row of ours, written by `toDocument`: trusted, for this is the projector's hot path. */
export function fromRow(row: ContactRow): Contact {
  const document: ContactDocument = JSON.parse(row.doc);
  const { v } = document;
  const version = (index: number): Version => v[index] ?? ZERO_VERSION;
  const attributes = new Map<string, Written>();
  for (const [name, value, index] of document.attributes) attributes.set(name, { value, version: version(index) });
  const channels = new Map<string, ChannelState>();
  for (const [name, channel] of document.channels) channels.set(name, channelState(channel, version));
  return {
    account: row.account,
    number: row.number,
    cid: row.cid,
    createdAt: row.createdAt,
    modifiedAt: row.modifiedAt,
    version: row.version,
    mergedInto: row.mergedInto ?? undefined,
    identifiers: new Map(document.identifiers),
    attributes,
    channels,
  };
}

function channelState(document: ChannelDocument, version: (index: number) => Version): ChannelState {
  const state: ChannelState = {};
  const written = (pair: WrittenDocument): Written => ({ value: pair[0], version: version(pair[1]) });
  if (document.address !== undefined) state.address = written(document.address);
  if (document.subscribedAt !== undefined) state.subscribedAt = written(document.subscribedAt);
  if (document.unsubscribedAt !== undefined) state.unsubscribedAt = written(document.unsubscribedAt);
  if (document.unsubscribed !== undefined) state.unsubscribed = version(document.unsubscribed);
  if (document.forced !== undefined) state.forced = version(document.forced);
  if (document.subscribed !== undefined) state.subscribed = version(document.subscribed);
  return state;
}

/** The document of a contact that has nothing yet. */
export const emptyDocument = '{"v":[],"identifiers":[],"attributes":[],"channels":[]}';
