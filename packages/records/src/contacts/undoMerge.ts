import { sameJson, type Version, versionBefore, type Written, ZERO_VERSION } from "@headwater/contracts";
import { type FoldEvent, memberChanged } from "../fold/foldEvents.ts";
import type { ContactIndex, Origin } from "./contactIndex.ts";
import { leaveIdentifierHistory, takeIdentifier } from "./identifierHistory.ts";
import { membersChanged } from "./memberEvents.ts";
import { addressedChannels, membersView } from "./membersView.ts";
import type { ContactsBefore } from "./mergeChanges.ts";
import type { ChannelState, Contact } from "./model.ts";
import { setSoftBounces } from "./softBounces.ts";
import { firstUnsubscribe, subscriptionTimestamp, timestampNames } from "./subscriptionTimestamps.ts";
import { channelOf } from "./writeChannel.ts";
import { setFirstUnsubscribe, writeStatus } from "./writeStatus.ts";

export interface MergeToUndo {
  readonly survivor: Contact;
  readonly merged: Contact;
  readonly before: ContactsBefore;
  /** Version of the merge. */
  readonly version: Version;
  readonly byRecord: string;
}

/**
 * Takes two contacts that became one apart. The one that was merged is as it was before, known by what it was known by. The
 * survivor has each member that is still as the merge left it as it was before, and keeps whatever was written since. What is
 * put back has its old version, as though the merge had not been; in the history it stands under the version of the split.
 */
export function undoMerge(index: ContactIndex, undo: MergeToUndo, origin: Origin): FoldEvent[] {
  const { survivor, merged, before, version } = undo;
  const view = membersView(survivor, origin.version);
  leaveIdentifierHistory(survivor, before.merged);
  returnIdentifiers(index, undo, origin);
  const mergeVersion = before.explicit === undefined ? undefined : version;
  restoreMembers(survivor, before, mergeVersion);
  keepUnsubscribes(undo);
  survivor.createdAt = before.survivor.createdAt || survivor.createdAt;
  survivor.lost = true;
  merged.mergedInto = undefined;
  merged.apart = { since: origin.version, undone: undo.byRecord };
  const events = membersChanged(survivor, view, origin.version);
  for (const [path, written] of membersView(merged, origin.version)) memberChanged(events, merged, path, written);
  for (const name of before.merged.identifiers.keys()) {
    // It was taken from the survivor meanwhile.
    if (merged.identifiers.has(name)) continue;
    memberChanged(events, merged, `identifiers.${name}`, { value: null, version: origin.version });
  }
  for (const contact of [survivor, merged]) writtenBy(index, contact, origin);
  return events;
}

function writtenBy(index: ContactIndex, contact: Contact, { version }: Origin): void {
  if (version > contact.version) contact.version = version;
  index.touched(contact);
}

/** Returns the identifiers that find the survivor, or nobody any more; one that another contact has taken since stays there. */
function returnIdentifiers(index: ContactIndex, undo: MergeToUndo, origin: Origin): void {
  const { survivor, merged, before, version } = undo;
  for (const [name, values] of before.merged.identifiers) {
    for (const value of values) {
      const identifier = { name, value };
      const owner = index.owner(identifier);
      // It was taken from the survivor: that was its holder from the merge on, not before.
      if (owner !== survivor.number) index.ownedUntil(merged, identifier, versionBefore(version));
      if (owner !== undefined && owner !== survivor.number) continue;
      if (owner !== undefined) takeIdentifier(index, survivor, identifier, origin);
      index.attach(merged, identifier, false);
    }
  }
}

/** Puts members of the survivor that the merge set back to what they were. */
export function restoreMembers(survivor: Contact, before: ContactsBefore, mergeVersion: Version | undefined): void {
  const names = new Set([...before.survivor.attributes.keys(), ...before.merged.attributes.keys()]);
  for (const name of names) {
    const [own, theirs] = [before.survivor.attributes.get(name), before.merged.attributes.get(name)];
    if (!isOfMerge(survivor.attributes.get(name), { own, theirs, mergeVersion })) continue;
    // A member that was never written is a removal older than any write.
    survivor.attributes.set(name, own ?? { value: null, version: ZERO_VERSION });
  }
  for (const name of new Set([...before.survivor.channels.keys(), ...before.merged.channels.keys()])) {
    const now = survivor.channels.get(name);
    if (now === undefined) continue;
    const [own = {}, theirs = {}] = [before.survivor.channels.get(name), before.merged.channels.get(name)];
    restoreChannel(now, { own, theirs, mergeVersion });
    if (Object.keys(now).length === 0) survivor.channels.delete(name);
  }
}

interface Sides {
  readonly own: Written | undefined;
  readonly theirs: Written | undefined;
  readonly mergeVersion?: Version | undefined;
}

/** Returns whether a member is what the merge made of it. A member that the merge did not touch is as it was. */
function isOfMerge(now: Written | undefined, { own, theirs, mergeVersion }: Sides): boolean {
  if (now === undefined) return false;
  if (now.version === mergeVersion) return true;
  if (theirs === undefined || now.version !== theirs.version) return false;
  return own === undefined || own.version !== theirs.version || !sameJson(own.value, now.value);
}

interface ChannelSides {
  readonly own: ChannelState;
  readonly theirs: ChannelState;
  readonly mergeVersion: Version | undefined;
}

function restoreChannel(now: ChannelState, { own, theirs, mergeVersion }: ChannelSides): void {
  // A merge that named this side left nothing of the survivor's own channel: what is missing now was missing there.
  const isReplaced = mergeVersion !== undefined && now.address?.version === mergeVersion;
  for (const member of ["address", "bounced", ...timestampNames] as const) {
    const of = (state: ChannelState) =>
      member === "address" || member === "bounced" ? state[member] : subscriptionTimestamp(state, member);
    const isMissing = isReplaced && now[member] === undefined && theirs[member] === undefined;
    if (!isMissing && !isOfMerge(of(now), { own: of(own), theirs: of(theirs), mergeVersion })) continue;
    const written = own[member];
    if (written === undefined) delete now[member];
    else now[member] = written;
  }
  const first = firstUnsubscribe(now);
  const isFirstTheirs = first === firstUnsubscribe(theirs);
  for (const member of ["unsubscribed", "forced", "subscribed", "pending"] as const) {
    if (now[member] !== theirs[member] || (now[member] === undefined && !isReplaced)) continue;
    const version = own[member];
    if (version === undefined) delete now[member];
    else now[member] = version;
  }
  setFirstUnsubscribe(now, isFirstTheirs ? firstUnsubscribe(own) : first);
  const isOfTheirs = (day: number) =>
    theirs.softBounces?.includes(day) === true && own.softBounces?.includes(day) !== true;
  setSoftBounces(now, now.softBounces?.filter((day) => !isOfTheirs(day)) ?? []);
}

/** Keeps an unsubscribe that came while both were one: it may have meant either, so it holds for both. */
function keepUnsubscribes({ survivor, merged, before }: MergeToUndo): void {
  for (const name of new Set([...merged.channels.keys(), ...addressedChannels(merged)])) {
    const { unsubscribed } = survivor.channels.get(name) ?? {};
    if (unsubscribed === undefined || unsubscribed === before.survivor.channels.get(name)?.unsubscribed) continue;
    writeStatus(channelOf(merged, name), "unsubscribed", false, unsubscribed);
  }
}
