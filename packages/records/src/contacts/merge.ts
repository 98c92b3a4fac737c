import {
  identifierOfChannel,
  identifierRules,
  isAddressName,
  isPlaceholder,
  sameJson,
  type Version,
  versionBefore,
  type Written,
} from "@headwater/contracts";
import { type FoldEvent, memberChanged } from "../fold/foldEvents.ts";
import type { Members } from "../members/members.ts";
import { laterApart, stayApart } from "./apart.ts";
import { canonicalOf } from "./canonicalAddress.ts";
import type { ContactIndex, Origin, Side } from "./contactIndex.ts";
import { joinIdentifierHistory, visibleAt } from "./identifierHistory.ts";
import { membersView } from "./membersView.ts";
import {
  addressOf,
  type ChannelState,
  type Contact,
  isValidChannel,
  statusVersionOf,
  subscribeStatusOf,
} from "./model.ts";
import { setSoftBounces } from "./softBounces.ts";
import {
  firstUnsubscribe,
  joinedTimestamp,
  setSubscriptionTimestamp,
  subscriptionTimestamp,
  timestampNames,
  withoutRefused,
} from "./subscriptionTimestamps.ts";
import { channelOf } from "./writeChannel.ts";
import { setFirstUnsubscribe } from "./writeStatus.ts";

export const MERGES_PER_RECORD_MAX = 64;

/**
 * Two contacts may not be merged when both show different values of a name, unless it may be overwritten, nor by a record of before
 * a split that took one of them out. A record that comes again sees the values that were shown in its time.
 */
export function mayMerge(left: Contact, right: Contact, mergeable: ReadonlySet<string>, origin: Origin): boolean {
  if (stayApart(left, right, origin)) return false;
  const { secondary } = identifierRules(origin.account.settings);
  const differ = (name: string) => {
    const [own, other] = [visibleAt(left, name, origin.version), visibleAt(right, name, origin.version)];
    if (own === undefined || other === undefined || own === other) return false;
    return !(secondary.has(name) && mergeable.has(name)) && !isOneAddress(name, [own, other], origin);
  };
  for (const name of left.identifiers.keys()) if (differ(name)) return false;
  return !left.identifierHistory?.some(({ name }) => differ(name));
}

/** Returns whether two values are one address, of which one was stored before addresses had one form. */
function isOneAddress(name: string, [own, other]: readonly [string, string], origin: Origin): boolean {
  return (
    isAddressName(origin.account.settings, name) && canonicalOf(name, own, origin) === canonicalOf(name, other, origin)
  );
}

/** The one created first survives, then the lower cID: the same in any order. */
export function survivorOf(left: Contact, right: Contact): Contact {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? left : right;
  return left.cid < right.cid ? left : right;
}

export interface MergingPair {
  readonly survivor: Contact;
  readonly dead: Contact;
  /** Side whose attributes will win, in an explicit merge. */
  readonly explicit?: Side;
}

/**
 * Joins `dead` into `survivor`: each member with the later version, identifiers of both, the earlier creation. An
 * unsubscribe wins over everything but a later forced subscribe.
 */
export function mergeInto(index: ContactIndex, { survivor, dead, explicit }: MergingPair, origin: Origin): FoldEvent[] {
  const events: FoldEvent[] = [];
  index.merging(survivor, dead, explicit);
  const [ours, theirs] = [membersView(survivor, origin.version), membersView(dead, origin.version)];
  const before = { ours, theirs, taken: [survivor, dead].flatMap(takenFrom) };
  const joining = { index, survivor, events };
  joinAttributes(joining, dead);
  for (const [name, channel] of dead.channels) joinChannel(joining, name, channel);
  const isSeveral = willHaveSeveral(survivor, dead);
  for (const [name, values] of [...dead.identifiers]) {
    const had = survivor.identifiers.get(name)?.[0];
    for (const value of [...values]) {
      if (isSeveral) index.ownedUntil(dead, { name, value }, versionBefore(origin.version));
      index.detach(dead, { name, value });
      index.attach(survivor, { name, value }, false);
    }
    const path = `identifiers.${name}`;
    memberChanged(events, dead, path, { value: null, version: origin.version });
    const value = values[0];
    if (had === undefined && value !== undefined) {
      memberChanged(events, survivor, path, { value, version: origin.version });
    }
  }
  replacePlaceholders(joining, origin);
  emitOverruled(joining, before, origin);
  survivor.createdAt = Math.min(survivor.createdAt, dead.createdAt);
  survivor.modifiedAt = Math.max(survivor.modifiedAt, dead.modifiedAt);
  survivor.version = greater(survivor.version, dead.version);
  survivor.characters = undefined;
  dead.mergedInto = survivor.number;
  joinIdentifierHistory(survivor, dead);
  survivor.lost ??= dead.lost;
  survivor.apart = laterApart(survivor.apart, dead.apart);
  index.merged(survivor, dead, origin);
  return events;
}

interface Joining {
  readonly index: ContactIndex;
  readonly survivor: Contact;
  /** Events of the merge so far. */
  readonly events: FoldEvent[];
}

interface BeforeMerge {
  /** Members that each of both showed. */
  readonly ours: Members;
  readonly theirs: Members;
  /** Prefixes of the paths that either does not show because they were taken from it. */
  readonly taken: readonly string[];
}

/**
 * A history of both together goes by the latest version of a member that was emitted, and a repeated value emits nothing.
 * Where the survivor shows something else than one that may be later, the merge says so.
 */
function emitOverruled({ survivor, events }: Joining, before: BeforeMerge, { version }: Origin): void {
  const { ours, theirs, taken } = before;
  const view = membersView(survivor, version);
  const emit = (path: string, own: Version) => {
    memberChanged(events, survivor, path, { value: view.get(path)?.value ?? null, version: greater(own, version) });
  };
  for (const [path, { value, version: own }] of ours) {
    const now = view.get(path);
    if (!sameJson(now?.value ?? null, value) && (now === undefined || now.version <= own)) emit(path, own);
  }
  for (const [path, { value, version: own }] of theirs) {
    if (!sameJson(view.get(path)?.value ?? null, value)) emit(path, own);
  }
  const isEmitted = (path: string) =>
    events.some(
      (event) => event.kind === "contact" && event.contact === survivor && event.fields.get(path) !== undefined,
    );
  for (const [path, { version: own }] of view) {
    if (path.endsWith(".valid") && ours.get(path) === undefined && !isEmitted(path)) emit(path, own);
  }
  for (const [path, { value }] of taken.length === 0 ? [] : view) {
    if (taken.some((prefix) => path.startsWith(prefix))) memberChanged(events, survivor, path, { value, version });
  }
  for (const path of taken) {
    if (!path.endsWith(".") && view.get(path) === undefined) emit(path, version);
  }
}

/** Removals of identifiers have no version of their own, and of what a split took nothing has. */
function takenFrom({ identifierHistory = [], lost, apart }: Contact): string[] {
  const names = identifierHistory.map(({ name }) => `identifiers.${name}`);
  return lost === undefined && apart === undefined ? names : ["identifiers.", "channels.", "attributes."];
}

/**
 * Returns whether the survivor has several values of a name from now on. An older record of the dead contact that comes again might then
 * show another value than was shown, so the former owner is remembered. Few merges are so: explicit ones alone.
 */
function willHaveSeveral(survivor: Contact, dead: Contact): boolean {
  const all = [...survivor.identifiers, ...dead.identifiers];
  return all.some(([, values]) => values.length > 1) || new Set(all.map(([name]) => name)).size < all.length;
}

function joinAttributes({ index, survivor, events }: Joining, dead: Contact): void {
  for (const [name, theirs] of dead.attributes) {
    const ours = survivor.attributes.get(name);
    if (ours !== undefined && ours.version >= theirs.version) continue;
    survivor.attributes.set(name, theirs);
    // A removal is emitted in any case: of what the merged contact wrote in the batch of its merge nothing else is.
    if (theirs.value !== null && sameJson(ours?.value ?? null, theirs.value)) index.touched(survivor);
    else memberChanged(events, survivor, `attributes.${name}`, theirs);
  }
}

function joinChannel({ index, survivor, events }: Joining, name: string, theirs: ChannelState): void {
  const ours = channelOf(survivor, name);
  const before = subscribeStatusOf(ours);
  const address = laterWritten(ours.address, theirs.address);
  if (address !== undefined && address !== ours.address) {
    const same = sameJson(ours.address?.value ?? null, address.value);
    ours.address = address;
    if (!same || address.value === null) {
      memberChanged(events, survivor, `channels.${name}.address`, address);
    }
  }
  joinBounces({ survivor, events }, { name, ours, theirs });
  const timestamps = timestampNames.map(
    (member) => [member, subscriptionTimestamp(ours, member), subscriptionTimestamp(theirs, member)] as const,
  );
  const unsubscribed = latest(ours.unsubscribed, theirs.unsubscribed);
  const forced = latest(ours.forced, theirs.forced);
  const first = earliest(firstUnsubscribe(ours), firstUnsubscribe(theirs));
  const plain = ours.subscribed;
  const subscribed = earliest(plain, theirs.subscribed);
  const pending = earliest(ours.pending, theirs.pending);
  if (unsubscribed !== undefined) ours.unsubscribed = unsubscribed;
  if (forced !== undefined) ours.forced = forced;
  if (subscribed !== undefined) ours.subscribed = subscribed;
  if (pending !== undefined) ours.pending = pending;
  setFirstUnsubscribe(ours, first);
  for (const [member, known, other] of timestamps) {
    const sides = [withoutRefused(ours, known, plain), withoutRefused(ours, other, theirs.subscribed)] as const;
    const timestamp = joinedTimestamp(ours, member, sides);
    setSubscriptionTimestamp(ours, member, timestamp);
    if (timestamp !== undefined && !sameJson(known?.value ?? null, timestamp.value)) {
      memberChanged(events, survivor, `channels.${name}.${member}`, timestamp);
    }
  }
  const after = subscribeStatusOf(ours);
  if (before !== after) {
    const version = statusVersionOf(ours) ?? survivor.version;
    memberChanged(events, survivor, `channels.${name}.subscribeStatus`, { value: after, version });
  }
  index.touched(survivor);
}

/** Lets channels have the addresses that their contact is known by, where one of the two had a text in place of an address. */
function replacePlaceholders({ survivor, events }: Joining, { version }: Origin): void {
  for (const [channel, state] of survivor.channels) {
    const name = identifierOfChannel(channel);
    const known = survivor.identifiers.get(name)?.[0];
    const { address } = state;
    if (known === undefined || typeof address?.value !== "string" || isPlaceholder({ name, value: known })) continue;
    if (!isPlaceholder({ name, value: address.value })) continue;
    state.address = { value: known, version: greater(address.version, version) };
    memberChanged(events, survivor, `channels.${channel}.address`, state.address);
  }
}

interface ChannelPair {
  readonly name: string;
  readonly ours: ChannelState;
  readonly theirs: ChannelState;
}

/** Runs when the address is joined already: what bounced for good goes with its address. */
function joinBounces(
  { survivor, events }: Pick<Joining, "survivor" | "events">,
  { name, ours, theirs }: ChannelPair,
): void {
  const identifier = identifierOfChannel(name);
  const wasValid = isValidChannel(name, ours, addressOf(survivor, name, identifier));
  const bounced = laterWritten(ours.bounced, theirs.bounced);
  if (bounced !== undefined) ours.bounced = bounced;
  setSoftBounces(ours, [...(ours.softBounces ?? []), ...(theirs.softBounces ?? [])]);
  const isValid = isValidChannel(name, ours, addressOf(survivor, name, identifier));
  if (bounced === undefined || wasValid === isValid) return;
  memberChanged(events, survivor, `channels.${name}.valid`, { value: isValid, version: bounced.version });
}

function laterWritten(left: Written | undefined, right: Written | undefined): Written | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return right.version > left.version ? right : left;
}

function latest(left: Version | undefined, right: Version | undefined): Version | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return greater(left, right);
}

function earliest(left: Version | undefined, right: Version | undefined): Version | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left < right ? left : right;
}

function greater(left: Version, right: Version): Version {
  return left > right ? left : right;
}
