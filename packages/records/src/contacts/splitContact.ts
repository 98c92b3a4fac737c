import { ZERO_VERSION } from "@headwater/contracts";
import type { Cart } from "../carts/cart.ts";
import type { FoldEvent } from "../fold/foldEvents.ts";
import type { FoldState } from "../fold/foldState.ts";
import { liveMembership } from "../lists/membership.ts";
import type { Origin } from "./contactIndex.ts";
import { splitChannels } from "./explicitMerge.ts";
import { addressedChannels } from "./membersView.ts";
import type { Contact } from "./model.ts";
import type { MembersMoved } from "./moveMembers.ts";
import type { StoredMerge } from "./storedMerge.ts";
import { restoreMembers, undoMerge } from "./undoMerge.ts";

export type Split =
  | (MembersMoved & { readonly kind: "split" })
  /** Places of the names that are no channel of the contact. */
  | { readonly kind: "unknownChannels"; readonly places: readonly number[] };

/**
 * Takes channels out of a contact. When the contact that a merge took in had an address of every one of them, that merge (the
 * latest such) is undone: the contact it took in lives again. Else the channels become a new contact.
 */
export function splitContact(
  state: FoldState,
  contact: Contact,
  channelNames: readonly string[],
  origin: Origin,
): Split {
  const known = new Set([...addressedChannels(contact), ...contact.channels.keys()]);
  const positions = channelNames.flatMap((name, index) => (known.has(name) ? [] : [index]));
  if (positions.length > 0) return { kind: "unknownChannels", places: positions };
  const merge = mergeThatBrought(state.mergesOf(contact.number), channelNames);
  if (merge === undefined) return { kind: "split", ...splitChannels(state, contact, channelNames, origin) };
  return { kind: "split", ...endMerge(state, { survivor: contact, merge }, origin) };
}

/** The latest that stands, as though those made before it that have ended since had never been. */
function mergeThatBrought(merges: readonly StoredMerge[], channelNames: readonly string[]): StoredMerge | undefined {
  const position = merges.findIndex(({ before, undoneVersion }) => {
    const theirs = addressedChannels(before.merged);
    return undoneVersion === null && channelNames.every((name) => theirs.includes(name));
  });
  const merge = merges[position];
  if (merge === undefined) return undefined;
  return merges
    .slice(position + 1)
    .filter(({ undoneVersion }) => (undoneVersion ?? "") > merge.version)
    .reduce(withoutEnded, merge);
}

interface Ending {
  readonly survivor: Contact;
  readonly merge: StoredMerge;
}

function endMerge(state: FoldState, { survivor, merge }: Ending, origin: Origin): MembersMoved {
  const merged = state.contactByNumber(merge.merged);
  const parted = undoMerge(state, { ...merge, survivor, merged }, origin);
  const { lists, events: listed } = returnLists(state, merge, origin);
  const carts = returnCart(state, merge, origin);
  const { merged: number, version: mergeVersion } = merge;
  const { recordId, version } = origin;
  state.split({ survivor: survivor.number, merged: number, mergeVersion, recordId, version, lists });
  return { contact: merged, changeEvents: [...parted, ...listed, ...carts] };
}

interface ListsReturned {
  /** Lists on which the survivor's membership changed. */
  readonly lists: readonly number[];
  readonly events: readonly FoldEvent[];
}

/** The contact is on its lists again; the survivor stays on those that it joined by itself. */
function returnLists(
  state: FoldState,
  { survivor, merged, before }: StoredMerge,
  { version: emittedAs }: Origin,
): ListsReturned {
  const events: FoldEvent[] = [];
  const lists = before.memberships.flatMap((theirs) => {
    const back = { ...theirs, contact: merged };
    state.setMembership(back);
    events.push({ kind: "membership", membership: back });
    const now = state.membership(theirs.list, survivor);
    const own = before.ownMemberships.find(({ list }) => list === theirs.list);
    if (now === undefined || now.version !== theirs.version || own?.version === theirs.version) return [];
    const never = { ...theirs, present: false, version: ZERO_VERSION };
    const list = own && state.listById(theirs.list);
    // What the list was cleared of since is not emitted again: emitted as of now it would stand above the clear.
    const after = { ...((list === undefined ? own : liveMembership(own, list)) ?? never), contact: survivor };
    const isSame = now.present === after.present && (!now.present || now.joinedAt === after.joinedAt);
    state.setMembership(after);
    if (!isSame) events.push({ kind: "membership", membership: after, emittedAs });
    return [theirs.list];
  });
  return { lists, events };
}

/** A cart that was written since is nobody's but the survivor's: given back it would be there twice. */
function returnCart(state: FoldState, { survivor, merged, version, before }: StoredMerge, origin: Origin): FoldEvent[] {
  const { survivor: own, merged: theirs } = before.carts;
  if (theirs === undefined) return [];
  const now = state.cart(survivor);
  const merges = state.mergesOf(survivor);
  const place = merges.findIndex((one) => one.merged === merged && one.version === version);
  const left = cartLeftBy(merges.slice(0, place), now);
  if (isTaken(before) && !isSameCart(left, theirs)) return [];
  const back: FoldEvent = { kind: "cart", cart: { ...theirs, contact: merged } };
  state.setCart(back.cart);
  if (!isTaken(before) || left !== now) return [back];
  const stored = { ...(own ?? emptyCart), contact: survivor };
  state.setCart(stored);
  return [back, { kind: "cart", cart: stored, emittedAs: origin.version }];
}

/** Returns whether the survivor took the other's cart, which was the later. */
function isTaken({ carts: { survivor, merged } }: StoredMerge["before"]): boolean {
  return merged !== undefined && (survivor === undefined || merged.version > survivor.version);
}

/** The survivor's cart without what merges put in its place that were made later, the latest first. */
function cartLeftBy(later: readonly StoredMerge[], now: Cart | undefined): Cart | undefined {
  let left = now;
  for (const { before, undoneVersion } of later) {
    const { merged, survivor } = before.carts;
    if (undoneVersion !== null || merged === undefined) continue;
    if (isTaken(before) && isSameCart(left, merged)) left = survivor;
  }
  return left;
}

const emptyCart = { version: ZERO_VERSION, members: {}, expiresAt: undefined, lines: [] };

/**
 * A merge whose survivor had absorbed another contact before, which has gone its own way since: what that one had brought is no
 * longer the survivor's to get back.
 */
function withoutEnded(merge: StoredMerge, ended: StoredMerge): StoredMerge {
  const { before } = merge;
  restoreMembers(before.survivor, ended.before, ended.before.explicit === undefined ? undefined : ended.version);
  const ownMemberships = before.ownMemberships.flatMap((own) => {
    const brought = ended.before.memberships.find(({ list }) => list === own.list);
    if (brought?.version !== own.version) return [own];
    return ended.before.ownMemberships.filter(({ list }) => list === own.list);
  });
  const { merged, survivor } = ended.before.carts;
  const isBrought = merged !== undefined && isSameCart(before.carts.survivor, merged);
  const { survivor: _brought, ...theirs } = before.carts;
  const carts = isBrought ? { ...theirs, ...(survivor && { survivor }) } : before.carts;
  return { ...merge, before: { ...before, ownMemberships, carts } };
}

function isSameCart(now: Cart | undefined, then: Cart): boolean {
  const text = ({ version, members, expiresAt, lines }: Cart) => JSON.stringify([version, members, expiresAt, lines]);
  return now !== undefined && text(now) === text(then);
}
