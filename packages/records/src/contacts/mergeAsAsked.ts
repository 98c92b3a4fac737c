import type { ContactMergeOptions } from "@headwater/contracts";
import type { Cart } from "../carts/cart.ts";
import { type FoldEvent, type FoldResult, noChangeEvents } from "../fold/foldEvents.ts";
import type { FoldState, Membership } from "../fold/foldState.ts";
import type { Origin } from "./contactIndex.ts";
import { mergeMembersAsAsked } from "./mergeMembersAsAsked.ts";
import type { Contact } from "./model.ts";
import { type MembersMoved, moveMembers } from "./moveMembers.ts";

/** Two contacts of which the source is to be merged into the destination. */
export interface MergePair {
  readonly source: Contact;
  readonly destination: Contact;
  /** Ids of the source's orders. */
  readonly orders: readonly string[];
  /** Contact that got the orders to be ignored, when some of them were moved ahead. */
  readonly keeper?: Contact | undefined;
}

/** Effects of a merge, for its job's result. */
export interface MergeDone {
  /** Lists on which the source has a membership, present or removed, and how many of them the destination disagrees about. */
  readonly lists: number;
  readonly listsInConflict: number;
  readonly cart: "sourceContact" | "destinationContact" | "none";
  /** Counts of the source's orders. */
  readonly orders: { readonly moved: number; readonly left: number };
  readonly events: ContactMergeOptions["events"];
  /** cID of the contact that keeps what was ignored. */
  readonly leftWith?: string;
}

export interface MergedAsAsked extends FoldResult {
  readonly done: MergeDone;
}

/** Orders that were moved, and the contact that keeps those to be ignored. */
export interface OrdersMoved extends FoldResult {
  readonly keeper: Contact | undefined;
}

/**
 * Merges the source into the destination as its caller asked for, group by group. Lists that both have a word on follow the
 * side that wins; of the carts the side's that is named, if it has one, else the later. Orders and activities come along; those
 * that are to be ignored stay with a contact that nobody is found by: activities, which hang on the source's number for ever, with
 * the source itself, orders alone with a new one.
 */
export function mergeAsAsked(
  state: FoldState,
  { source, destination, orders, keeper: ahead }: MergePair,
  options: ContactMergeOptions,
  origin: Origin,
): MergedAsAsked {
  const leavesEvents = options.events === "ignore";
  const leavesOrders = options.orders === "ignore";
  const moved = leavesEvents ? carrierOf(state, source, origin) : { contact: source, changeEvents: noChangeEvents };
  const merged = moved.contact;
  const before = membersBefore(state, merged, destination);
  const joined = mergeMembersAsAsked(state, { source: merged, destination }, options, origin);
  const lists = resolveLists(state, before, options.lists, origin);
  const cart = resolveCart(state, before, options.cart, origin);
  const existing = partOrders(state, { destination, orders, keeper: leavesEvents ? source : ahead }, options, origin);
  const done = {
    lists: before.lists.length,
    listsInConflict: lists.length,
    cart: cart.kept,
    orders: leavesOrders ? { moved: 0, left: orders.length } : { moved: orders.length, left: 0 },
    events: options.events,
    ...(existing.keeper !== undefined && { leftWith: existing.keeper.cid }),
  };
  return { done, changeEvents: [...moved.changeEvents, ...joined, ...lists, ...cart.events, ...existing.changeEvents] };
}

/** Moves the orders that the merge itself would not leave where they are to be. */
function partOrders(
  state: FoldState,
  { destination, orders, keeper }: Omit<MergePair, "source">,
  options: ContactMergeOptions,
  origin: Origin,
): OrdersMoved {
  const leavesEvents = options.events === "ignore";
  const leavesOrders = options.orders === "ignore";
  if (leavesOrders && !leavesEvents && orders.length > 0) return leaveOrders(state, orders, keeper, origin);
  const isPresent = leavesEvents && !leavesOrders;
  return { keeper, changeEvents: isPresent ? giveOrders(state, orders, destination) : noChangeEvents };
}

/** All of the source but what hangs on its number, so that it can be merged without that. */
function carrierOf(state: FoldState, source: Contact, origin: Origin): MembersMoved {
  const { version } = origin;
  const lists = state.membershipsOf(source.number);
  const cart = state.cart(source.number);
  const { contact: carrier, changeEvents: moved } = moveMembers(state, source, origin);
  const memberships = lists.flatMap((membership) => {
    const pair = [
      { ...membership, contact: carrier.number },
      { ...membership, present: false, version },
    ];
    for (const one of pair) state.setMembership(one);
    return membership.present ? pair.map((one) => ({ kind: "membership", membership: one }) as const) : [];
  });
  const emptied = { contact: source.number, version, members: {}, expiresAt: undefined, lines: [] };
  const carts = cart === undefined ? [] : [{ ...cart, contact: carrier.number }, emptied];
  for (const one of carts) state.setCart(one);
  const put = carts.map((one) => ({ kind: "cart", cart: one }) as const);
  return { contact: carrier, changeEvents: [...moved, ...memberships, ...put] };
}

interface MembersBefore {
  readonly destination: Contact;
  readonly lists: readonly Membership[];
  readonly own: ReadonlyMap<number, Membership>;
  readonly carts: Readonly<Record<"sourceContact" | "destinationContact", Cart | undefined>>;
}

function membersBefore(state: FoldState, source: Contact, destination: Contact): MembersBefore {
  const own = new Map(state.membershipsOf(destination.number).map((membership) => [membership.list, membership]));
  const carts = { sourceContact: state.cart(source.number), destinationContact: state.cart(destination.number) };
  return { destination, lists: state.membershipsOf(source.number), own, carts };
}

/** @returns an event for each list on which the two memberships differed. */
function resolveLists(
  state: FoldState,
  { destination, lists, own }: MembersBefore,
  winner: ContactMergeOptions["lists"],
  { version }: Origin,
): FoldEvent[] {
  const differing = lists.flatMap((theirs) => {
    const ours = own.get(theirs.list);
    return ours === undefined || ours.present === theirs.present ? [] : [{ theirs, ours }];
  });
  return differing.map(({ theirs, ours }) => {
    const wins = winner === "sourceContact" ? theirs : ours;
    const membership = { ...wins, contact: destination.number, version };
    state.setMembership(membership);
    return { kind: "membership", membership };
  });
}

interface CartResolved {
  readonly kept: MergeDone["cart"];
  readonly events: readonly FoldEvent[];
}

/** A cart that is named is written again, so that it is the later one of both in every order of arrival. */
function resolveCart(
  state: FoldState,
  { destination, carts }: MembersBefore,
  asked: ContactMergeOptions["cart"],
  { version }: Origin,
): CartResolved {
  const stored = state.cart(destination.number);
  if (stored === undefined) return { kept: "none", events: noChangeEvents };
  const later = stored.version === carts.sourceContact?.version ? "sourceContact" : "destinationContact";
  const wanted = asked === "lastModified" ? undefined : carts[asked];
  if (asked === "lastModified" || wanted === undefined) return { kept: later, events: noChangeEvents };
  if (asked === later) return { kept: asked, events: noChangeEvents };
  const cart = { ...wanted, contact: destination.number, version };
  state.setCart(cart);
  return { kept: asked, events: [{ kind: "cart", cart }] };
}

/**
 * Moves some of the source's orders to where the merge will leave them, when there are too many for one write. Only for merges that
 * part orders from activities.
 */
export function moveOrdersAhead(
  state: FoldState,
  { destination, orders, keeper }: Omit<MergePair, "source">,
  options: Pick<ContactMergeOptions, "orders">,
  origin: Origin,
): OrdersMoved {
  if (options.orders === "ignore") return leaveOrders(state, orders, keeper, origin);
  return { keeper: undefined, changeEvents: giveOrders(state, orders, destination) };
}

function leaveOrders(
  state: FoldState,
  orders: readonly string[],
  input: Contact | undefined,
  origin: Origin,
): OrdersMoved {
  const keeper = input ?? state.create({ ...origin, recordId: `${origin.recordId}:orders` });
  return { keeper, changeEvents: giveOrders(state, orders, keeper) };
}

function giveOrders(state: FoldState, orders: readonly string[], { number: contact }: Contact): FoldEvent[] {
  return orders.flatMap((orderId): FoldEvent[] => {
    const known = state.order(orderId);
    if (known === undefined) return [];
    const order = { ...known, contact };
    state.setOrder(order);
    return [{ kind: "order", order }];
  });
}
