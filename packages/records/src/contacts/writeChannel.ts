import { type ChannelWrite, type Json, toPlainTime, type Version, type Written } from "@headwater/contracts";
import { isSameTime } from "../members/sameTime.ts";
import { addressView } from "./canonicalAddress.ts";
import type { ChannelPaths } from "./memberPaths.ts";
import { type ChannelState, type Contact, isValidChannel, type SubscribeStatus, subscribeStatusOf } from "./model.ts";
import { isSet } from "./restrictedMembers.ts";
import {
  setSubscriptionTimestamp,
  subscriptionTimestamp,
  type TimestampName,
  timestampBehind,
  withoutRefused,
} from "./subscriptionTimestamps.ts";
import { suppressedAddress } from "./suppressedAddress.ts";
import { effectOf, later } from "./writeEffect.ts";
import { writeStatus } from "./writeStatus.ts";
import { changed, showIdentifier, type Writing } from "./writing.ts";

export function writeChannel(writing: Writing, name: string, channel: ChannelWrite): void {
  const { index, contact, write, origin, tally } = writing;
  const state = channelOf(contact, name);
  const paths = writing.paths.channel(name);
  const { address, subscribedAt, unsubscribedAt } = channel;
  const at = { name, state, paths };
  if (address !== undefined && !write.held.has(paths.identifier)) {
    writeAddress(writing, at, address === null ? null : addressView(paths.identifier, address, origin));
  }
  if (subscribedAt !== undefined) {
    writeChannelMember(writing, { ...at, member: "subscribedAt", value: toPlainTime(subscribedAt) ?? subscribedAt });
  }
  if (unsubscribedAt !== undefined) {
    writeChannelMember(writing, {
      ...at,
      member: "unsubscribedAt",
      value: toPlainTime(unsubscribedAt) ?? unsubscribedAt,
    });
  }
  if (channel.subscribeStatus === undefined) return;
  const before = subscribeStatusOf(state);
  if (before !== "none" && write.restricted.has(paths.subscribeStatus)) {
    tally.restricted++;
    return;
  }
  const timestamp = timestampNameOf(channel.subscribeStatus);
  const known = timestamp && subscriptionTimestamp(state, timestamp);
  const view = comesBefore(state, channel.subscribeStatus, origin.version)
    ? subscriptionTimestamp(state, "subscribedAt")
    : undefined;
  const stored = writeStatus(state, channel.subscribeStatus, write.forceSubscribe, origin.version);
  const after = subscribeStatusOf(state);
  if (after !== channel.subscribeStatus) tally.statusKept++;
  if (write.forceSubscribe && after === "subscribed") liftSuppressions(writing, name);
  if (before !== after) {
    tally.changed++;
    statusChanged(writing, { path: paths, state, after });
  } else {
    tally[stored === "superseded" ? "superseded" : "unchanged"]++;
    index.touched(contact);
  }
  if (timestamp !== undefined) keepTimestamp(writing, { ...at, name: timestamp, known });
  if (view !== undefined) hideRefused(writing, at, view);
}

/** Returns whether an unsubscribe arrives after a plain subscribe that it refuses. */
function comesBefore({ subscribed }: ChannelState, status: SubscribeStatus, version: Version): boolean {
  return status === "unsubscribed" && subscribed !== undefined && version < subscribed;
}

/** Shows no more that the channel was subscribed, where an unsubscribe that arrived late says that it never was. */
function hideRefused(writing: Writing, { state, paths }: Omit<ChannelAt, "name">, before: Written): void {
  setSubscriptionTimestamp(state, "subscribedAt", withoutRefused(state, state.subscribedAt, state.subscribed));
  const now = subscriptionTimestamp(state, "subscribedAt");
  if (now?.value === before.value) return;
  const { version } = now ?? writing.origin;
  const value = now?.value ?? null;
  changed(writing, paths.subscribedAt, { value, version: later(before, version) });
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
  if (timestamp !== undefined && timestamp.value !== known?.value) changed(writing, paths[name], timestamp);
}

export function channelOf(contact: Contact, name: string): ChannelState {
  const known = contact.channels.get(name);
  if (known !== undefined) return known;
  const created: ChannelState = {};
  contact.channels.set(name, created);
  return created;
}

interface ChannelAt {
  readonly name: string;
  readonly state: ChannelState;
  readonly paths: ChannelPaths;
}

/** @param value null removes the address, and it does not find the contact any more. */
export function writeAddress(writing: Writing, at: ChannelAt, value: string | null): void {
  writeChannelMember(writing, { ...at, member: "address", value });
}

interface ChannelMember extends ChannelAt {
  readonly member: "address" | "subscribedAt" | "unsubscribedAt";
  readonly value: string | null;
}

function writeChannelMember(writing: Writing, { name, state, paths, member, value }: ChannelMember): void {
  const { index, contact, write, origin, tally } = writing;
  const path = paths[member];
  const current = state[member];
  const identifier = member === "address" ? paths.identifier : undefined;
  if (write.restricted.has(path) && isSet(current, { ...writing, identifier })) {
    tally.restricted++;
    return;
  }
  // The time of the last write stands for a timestamp that is not kept: who says it again changes nothing that is seen.
  const { timezone } = origin.account.settings;
  const displayed = member === "address" ? undefined : subscriptionTimestamp(state, member);
  const isVisible = displayed !== undefined && isSameTime(displayed.value, value, timezone);
  const written = { value, version: origin.version };
  const last = effectOf(current, written);
  const effect = last === "changed" && isVisible ? "unchanged" : last;
  tally[effect]++;
  if (effect === "superseded") return;
  state[member] = written;
  if (effect === "unchanged") {
    index.touched(contact);
    return;
  }
  changed(writing, path, written);
  if (member !== "address") return;
  const before = current === undefined ? contact.identifiers.get(paths.identifier)?.[0] : current.value;
  emitValid(writing, { name, state, paths, before });
  showIdentifier(writing, paths.identifier, value);
}

interface AddressChange extends ChannelAt {
  readonly before: Json | undefined;
}

/** A new address is valid again; the one that bounced is not, and neither is what cannot be an address. */
function emitValid(writing: Writing, { name, state, paths, before }: AddressChange): void {
  const isValidAs = (value: Json | undefined) =>
    isValidChannel(name, state, typeof value === "string" ? value : undefined);
  const isValid = isValidAs(state.address?.value);
  if (isValidAs(before) === isValid) return;
  changed(writing, paths.valid, { value: isValid, version: writing.origin.version });
}

interface StatusChange {
  readonly path: ChannelPaths;
  readonly state: ChannelState;
  readonly after: string;
}

function statusChanged(writing: Writing, { path, state, after: value }: StatusChange): void {
  // What arrives late and removes a later plain subscribe or opt-in takes that one's position in the history.
  const version = [state.subscribed, state.pending].reduce<Version>(
    (from, other) => (other !== undefined && other > from ? other : from),
    writing.origin.version,
  );
  changed(writing, path.subscribeStatus, { value, version });
}
