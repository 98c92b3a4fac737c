import {
  arrayItemsMax,
  type ChannelWrite,
  type IdentifierRules,
  identifierRules,
  isArrayEdit,
  isObject,
  type Json,
  toGeo,
  type Version,
  type Written,
} from "@headwater/contracts";
import { type FoldEvent, memberChanged } from "../foldEvents.ts";
import { canonicalOf, shownAddress, shownValue } from "./canonicalAddress.ts";
import { type CastAttributes, toJson } from "./castAttributes.ts";
import type { ContactIndex, Origin } from "./contactIndex.ts";
import { editArray } from "./editArray.ts";
import { isShownSince, takeIdentifier } from "./identifierHistory.ts";
import { type ChannelPaths, type MemberPaths, memberPaths } from "./memberPaths.ts";
import { type ChannelState, type Contact, type SubscribeStatus, subscribeStatusOf } from "./model.ts";
import { isIdentifierAttribute } from "./readIdentifiers.ts";
import { allowedMembers, isSet } from "./restrictedMembers.ts";
import {
  setSubscriptionTimestamp,
  subscriptionTimestamp,
  type TimestampName,
  timestampBehind,
} from "./subscriptionTimestamps.ts";
import { suppressedAddress } from "./suppressedAddress.ts";
import { effectOf, later } from "./writeEffect.ts";
import { writeStatus } from "./writeStatus.ts";

/** Counts of a write's members by effect. */
export interface WriteTally {
  changed: number;
  unchanged: number;
  superseded: number;
  restricted: number;
  statusKept: number;
}

export const emptyTally = (): WriteTally => ({ changed: 0, unchanged: 0, superseded: 0, restricted: 0, statusKept: 0 });

export interface MembersWrite {
  /** Attributes in the types of their definitions; a member `channels` is none of them. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly channels?: Readonly<Record<string, ChannelWrite>> | undefined;
  /** Members of geo attributes, by name of the attribute. */
  readonly geoEdits: CastAttributes["geoEdits"];
  readonly forceSubscribe: boolean;
  readonly restricted: ReadonlySet<string>;
  /** Names whose value another contact holds: these members are left. */
  readonly held: ReadonlySet<string>;
  /** Events of the record so far: those of this write are added. */
  readonly changeEvents: FoldEvent[];
}

/** Writes attributes and channels, member by member: a lower version never overwrites. */
export function writeMembers(index: ContactIndex, contact: Contact, write: MembersWrite, origin: Origin): WriteTally {
  const { attributes, channels } = write;
  const { settings } = origin.account;
  const { formats } = identifierRules(settings);
  const writing = { index, contact, write, origin, tally: emptyTally(), formats, paths: memberPaths(settings) };
  for (const name in attributes) {
    if (name !== "channels") writeAttribute(writing, name, toJson(attributes[name]));
  }
  for (const [name, edit] of write.geoEdits) writeGeo(writing, name, edit);
  if (channels === undefined) return writing.tally;
  for (const name in channels) {
    const channel = channels[name];
    if (channel !== undefined) writeChannel(writing, name, channel);
  }
  return writing.tally;
}

/** One for a record: what is the same for all of its members. */
interface Writing {
  readonly index: ContactIndex;
  readonly contact: Contact;
  readonly write: MembersWrite;
  readonly origin: Origin;
  readonly tally: WriteTally;
  readonly formats: IdentifierRules["formats"];
  readonly paths: MemberPaths;
}

function writeAttribute(writing: Writing, name: string, given: Json): void {
  const { contact, write, origin, tally } = writing;
  const current = contact.attributes.get(name);
  if (write.held.has(name)) return;
  if (write.restricted.has(name) && isSet(current, { ...writing, identifier: name })) {
    tally.restricted++;
    return;
  }
  const edited = isArrayEdit(given);
  const itemsMax = arrayItemsMax(origin.account.attributes?.get(name));
  const value = edited ? editArray(current?.value, given, itemsMax) : shownValue(name, given, origin);
  setAttribute(writing, name, { value, version: edited ? later(current, origin.version) : origin.version });
}

/** Members of a geo value, in order of arrival as edits of arrays are. */
function writeGeo(writing: Writing, name: string, edit: Readonly<Record<string, Json>>): void {
  const { contact, write, origin, tally } = writing;
  const current = contact.attributes.get(name);
  const before = current?.value ?? null;
  if (write.restricted.has(name) && before !== null) {
    tally.restricted++;
    return;
  }
  const known = isObject(before) ? before : {};
  const allowed = allowedMembers(name, { before: known, edit }, write.restricted);
  const names = Object.keys(allowed).length;
  if (names < Object.keys(edit).length) tally.restricted++;
  if (names === 0) return;
  const members = { ...known, ...allowed };
  setAttribute(writing, name, { value: toGeo(members), version: later(current, origin.version) });
}

function setAttribute(writing: Writing, name: string, written: Written): void {
  const { index, contact, origin, tally, formats, paths } = writing;
  const cleared = index.attributeCleared(name);
  if (cleared !== undefined && origin.version <= cleared) {
    tally.superseded++;
    return;
  }
  const current = contact.attributes.get(name);
  const effect = effectOf(current, written);
  tally[effect]++;
  if (effect === "superseded") return;
  if (current === undefined) contact.attributes.append(name, written);
  else contact.attributes.set(name, written);
  if (effect === "unchanged") {
    index.touched(contact);
    return;
  }
  const { value, version } = written;
  changed(writing, paths.attribute(name), version === origin.version ? written : { value, version: origin.version });
  if (isIdentifierAttribute(name, formats)) showIdentifier(writing, name, value);
}

function changed({ contact, write }: Writing, path: string, written: Written): void {
  memberChanged(write.changeEvents, contact, path, written);
}

function writeChannel(writing: Writing, name: string, channel: ChannelWrite): void {
  const { index, contact, write, origin, tally } = writing;
  const state = channelOf(contact, name);
  const paths = writing.paths.channel(name);
  const { address, subscribedAt, unsubscribedAt } = channel;
  const at = { state, paths };
  if (address !== undefined && !write.held.has(paths.identifier)) {
    const shown = shownAddress(paths.identifier, address, origin);
    writeChannelMember(writing, { ...at, member: "address", value: shown });
  }
  if (subscribedAt !== undefined) writeChannelMember(writing, { ...at, member: "subscribedAt", value: subscribedAt });
  if (unsubscribedAt !== undefined) {
    writeChannelMember(writing, { ...at, member: "unsubscribedAt", value: unsubscribedAt });
  }
  if (channel.subscribeStatus === undefined) return;
  const before = subscribeStatusOf(state);
  if (before !== "none" && write.restricted.has(paths.subscribeStatus)) {
    tally.restricted++;
    return;
  }
  const timestamp = timestampNameOf(channel.subscribeStatus);
  const known = timestamp && subscriptionTimestamp(state, timestamp);
  const kept = writeStatus(state, channel.subscribeStatus, write.forceSubscribe, origin.version);
  const after = subscribeStatusOf(state);
  if (after !== channel.subscribeStatus) tally.statusKept++;
  if (write.forceSubscribe && after === "subscribed") liftSuppressions(writing, name);
  if (before !== after) {
    tally.changed++;
    statusChanged(writing, { path: paths, state, after });
  } else {
    tally[kept === "superseded" ? "superseded" : "unchanged"]++;
    index.touched(contact);
  }
  if (timestamp !== undefined) keepTimestamp(writing, { ...at, name: timestamp, known });
}

/** Lifts what kept promotional messages from a contact that subscribes again by its own will. */
function liftSuppressions({ contact, write, origin, paths }: Writing, channel: string): void {
  const { version } = origin;
  const address = suppressedAddress(contact, { channel, identifier: paths.channel(channel).identifier }, origin);
  if (address === undefined) return;
  write.changeEvents.push({ kind: "suppression", channel, address, because: "resubscribed", version });
}

function timestampNameOf(status: SubscribeStatus): TimestampName | undefined {
  if (status === "subscribed") return "subscribedAt";
  return status === "unsubscribed" ? "unsubscribedAt" : undefined;
}

interface ChannelTimestamp {
  readonly state: ChannelState;
  readonly paths: ChannelPaths;
  readonly name: TimestampName;
  /** Status before its write. */
  readonly known: Written | undefined;
}

function keepTimestamp(writing: Writing, { state, paths, name, known }: ChannelTimestamp): void {
  const { write, origin } = writing;
  const timestamp = timestampBehind(state, known, { name, version: origin.version, isForced: write.forceSubscribe });
  setSubscriptionTimestamp(state, name, timestamp);
  if (timestamp.value !== known?.value) changed(writing, paths[name], timestamp);
}

export function channelOf(contact: Contact, name: string): ChannelState {
  const known = contact.channels.get(name);
  if (known !== undefined) return known;
  const made: ChannelState = {};
  contact.channels.set(name, made);
  return made;
}

interface ChannelMember {
  readonly state: ChannelState;
  readonly paths: ChannelPaths;
  readonly member: "address" | "subscribedAt" | "unsubscribedAt";
  readonly value: string;
}

function writeChannelMember(writing: Writing, { state, paths, member, value }: ChannelMember): void {
  const { index, contact, write, origin, tally } = writing;
  const path = paths[member];
  const current = state[member];
  const identifier = member === "address" ? paths.identifier : undefined;
  if (write.restricted.has(path) && isSet(current, { ...writing, identifier })) {
    tally.restricted++;
    return;
  }
  // The time of the last write stands for a timestamp that is not kept: who says it again changes nothing that is seen.
  const isShown = member !== "address" && subscriptionTimestamp(state, member)?.value === value;
  const written = { value, version: origin.version };
  const last = effectOf(current, written);
  const effect = last === "changed" && isShown ? "unchanged" : last;
  tally[effect]++;
  if (effect === "superseded") return;
  state[member] = written;
  if (effect === "unchanged") {
    index.touched(contact);
    return;
  }
  changed(writing, path, written);
  if (member !== "address") return;
  emitValid(writing, { state, paths, before: current?.value });
  showIdentifier(writing, paths.identifier, value);
}

interface AddressChange {
  readonly state: ChannelState;
  readonly paths: ChannelPaths;
  readonly before: Json | undefined;
}

/** A new address is valid again; the one that bounced is not. */
function emitValid(writing: Writing, { state, paths, before }: AddressChange): void {
  const { bounced, address } = state;
  if (bounced === undefined) return;
  const isValid = address?.value !== bounced.value;
  if ((before !== bounced.value) === isValid) return;
  changed(writing, paths.valid, { value: isValid, version: writing.origin.version });
}

interface StatusChange {
  readonly path: ChannelPaths;
  readonly state: ChannelState;
  readonly after: string;
}

function statusChanged(writing: Writing, { path, state, after: value }: StatusChange): void {
  // What arrives late and takes a later plain subscribe or opt-in away stands in that one's place in the history.
  const version = [state.subscribed, state.pending].reduce<Version>(
    (from, other) => (other !== undefined && other > from ? other : from),
    writing.origin.version,
  );
  changed(writing, path.subscribeStatus, { value, version });
}

/**
 * An identifier written as an attribute replaces the shown one, which finds the contact for records of before only. Of one that is removed
 * the next that finds the contact is shown.
 */
function showIdentifier(writing: Writing, name: string, value: Json): void {
  const { index, contact, origin, paths } = writing;
  const shown = contact.identifiers.get(name)?.[0];
  const canonical = canonicalOf(name, value, origin);
  if (shown === canonical || isShownSince(contact, name, origin.version)) return;
  if (shown !== undefined) {
    const identifier = { name, value: shown };
    index.ownedUntil(contact, identifier, takeIdentifier(index, contact, identifier, origin));
  }
  if (canonical !== undefined) index.attach(contact, { name, value: canonical }, true);
  const shownNow = contact.identifiers.get(name)?.[0] ?? null;
  changed(writing, paths.identifier(name), { value: shownNow, version: origin.version });
}
