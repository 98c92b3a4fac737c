import type { ContactMergeOptions } from "@headwater/contracts";
import type { Cart } from "../cart/cart.ts";
import type { FoldState, Membership } from "../foldState.ts";
import type { Origin } from "./contactIndex.ts";
import { mergeMembersAsAsked } from "./mergeMembersAsAsked.ts";
import type { Contact } from "./model.ts";
import { moveMembers } from "./moveMembers.ts";

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
  /** Lists the source had a standing on, and on how many of them the destination stood the other way. */
  readonly lists: number;
  readonly listsInConflict: number;
  readonly cart: "sourceContact" | "destinationContact" | "none";
  /** Counts of the source's orders. */
  readonly orders: { readonly moved: number; readonly left: number };
  readonly events: ContactMergeOptions["events"];
  /** cID of the contact that keeps what was ignored. */
  readonly leftWith?: string;
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
): MergeDone {
  const leavesEvents = options.events === "ignore";
  const leavesOrders = options.orders === "ignore";
  const merged = leavesEvents ? carrierOf(state, source, origin) : source;
  const before = standings(state, merged, destination);
  mergeMembersAsAsked(state, { source: merged, destination }, options, origin);
  const listsInConflict = settleLists(state, before, options.lists, origin);
  const cart = settleCart(state, before, options.cart, origin);
  const keeper = leavesEvents ? source : ahead;
  const left = leavesOrders && !leavesEvents && orders.length > 0 ? leaveOrders(state, orders, keeper, origin) : keeper;
  if (leavesEvents && !leavesOrders) giveOrders(state, orders, destination);
  return {
    lists: before.lists.length,
    listsInConflict,
    cart,
    orders: leavesOrders ? { moved: 0, left: orders.length } : { moved: orders.length, left: 0 },
    events: options.events,
    ...(left !== undefined && { leftWith: left.cid }),
  };
}

/** All of the source but what hangs on its number, so that it can be merged without that. */
function carrierOf(state: FoldState, source: Contact, origin: Origin): Contact {
  const { version } = origin;
  const lists = state.membershipsOf(source.number);
  const cart = state.cart(source.number);
  const carrier = moveMembers(state, source, origin);
  for (const membership of lists) {
    state.setMembership({ ...membership, contact: carrier.number }, membership.present);
    state.setMembership({ ...membership, present: false, version }, membership.present);
  }
  if (cart !== undefined) {
    state.setCart({ ...cart, contact: carrier.number });
    state.setCart({ contact: source.number, version, members: {}, expiresAt: undefined, lines: [] });
  }
  return carrier;
}

interface Standings {
  readonly destination: Contact;
  readonly lists: readonly Membership[];
  readonly own: ReadonlyMap<number, Membership>;
  readonly carts: Readonly<Record<"sourceContact" | "destinationContact", Cart | undefined>>;
}

function standings(state: FoldState, source: Contact, destination: Contact): Standings {
  const own = new Map(state.membershipsOf(destination.number).map((membership) => [membership.list, membership]));
  const carts = { sourceContact: state.cart(source.number), destinationContact: state.cart(destination.number) };
  return { destination, lists: state.membershipsOf(source.number), own, carts };
}

/** @returns on how many lists the two stood against each other. */
function settleLists(
  state: FoldState,
  { destination, lists, own }: Standings,
  winner: ContactMergeOptions["lists"],
  { version }: Origin,
): number {
  const against = lists.flatMap((theirs) => {
    const ours = own.get(theirs.list);
    return ours === undefined || ours.present === theirs.present ? [] : [{ theirs, ours }];
  });
  for (const { theirs, ours } of against) {
    const wins = winner === "sourceContact" ? theirs : ours;
    state.setMembership({ ...wins, contact: destination.number, version }, true);
  }
  return against.length;
}

/** A cart that is named is written anew, so that it is the later one of both in every order of arrival. */
function settleCart(
  state: FoldState,
  { destination, carts }: Standings,
  asked: ContactMergeOptions["cart"],
  { version }: Origin,
): MergeDone["cart"] {
  const kept = state.cart(destination.number);
  if (kept === undefined) return "none";
  const later = kept.version === carts.sourceContact?.version ? "sourceContact" : "destinationContact";
  const wanted = asked === "lastModified" ? undefined : carts[asked];
  if (asked === "lastModified" || wanted === undefined) return later;
  if (asked !== later) state.setCart({ ...wanted, contact: destination.number, version });
  return asked;
}

/**
 * Moves some of the source's orders to where the merge will leave them, when there are too many for one write. Only for merges that
 * part orders from activities.
 * @returns who keeps those that are to be ignored.
 */
export function moveOrdersAhead(
  state: FoldState,
  { destination, orders, keeper }: Omit<MergePair, "source">,
  options: Pick<ContactMergeOptions, "orders">,
  origin: Origin,
): Contact | undefined {
  if (options.orders === "ignore") return leaveOrders(state, orders, keeper, origin);
  giveOrders(state, orders, destination);
  return undefined;
}

function leaveOrders(
  state: FoldState,
  orders: readonly string[],
  keeper: Contact | undefined,
  origin: Origin,
): Contact {
  const to = keeper ?? state.create({ ...origin, recordId: `${origin.recordId}:orders` });
  giveOrders(state, orders, to);
  return to;
}

function giveOrders(state: FoldState, orders: readonly string[], { number: contact }: Contact): void {
  for (const orderId of orders) {
    const order = state.order(orderId);
    if (order !== undefined) state.setOrder({ ...order, contact }, true);
  }
}
