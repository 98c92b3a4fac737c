import {
  type Account,
  type CartChangeEvent,
  type ContactChangeEvent,
  type FieldChange,
  type MembershipChangeEvent,
  type OrderChangeEvent,
  type SupplementChangeEvent,
  toTimestamp,
  triggerMark,
  type Version,
} from "@headwater/contracts";
import type { Cart } from "../carts/cart.ts";
import { viewCart } from "../carts/cartView.ts";
import type { Contact } from "../contacts/model.ts";
import { fromOrderRow, versionOfOrder } from "../orders/orderDocument.ts";
import { viewOrder } from "../orders/orderView.ts";
import { isDeletedOrder } from "../orders/orderWrite.ts";
import type { SupplementRecord } from "../supplements/supplement.ts";
import type { BatchChanges, ContactChange } from "../unitOfWork/batchChanges.ts";
import type { OrderChange } from "../unitOfWork/orderChanges.ts";
import { finalSurvivor, type StoredChanges } from "../writes/storeBatch.ts";

export interface ChangeEvents {
  /** Each is made when it is asked for: its text is written at once, and no batch of them stands in memory. */
  readonly contacts: Iterable<ContactChangeEvent>;
  readonly memberships: readonly MembershipChangeEvent[];
  readonly orders: readonly OrderChangeEvent[];
  readonly carts: readonly CartChangeEvent[];
  readonly supplements: readonly SupplementChangeEvent[];
}

/**
 * The change events of a batch. Survivors of merges come before the contacts merged into them, so that an alias is
 * known before a dead contact's rows go.
 * @param stored what the database answered about merges and splits.
 */
export function toChangeEvents(
  changes: BatchChanges,
  accounts: ReadonlyMap<number, Account>,
  stored: StoredChanges,
): ChangeEvents {
  const returned = stored.ordersReturned.map((row) => {
    return { account: row.account, order: fromOrderRow(row.orderId, row), visible: true, suppressTriggers: true };
  });
  return {
    contacts: contactRecords(changes, aliasesOf(changes, stored)),
    memberships: [...membershipRecords(changes), ...leftMemberships(changes)],
    orders: orderRecords([...changes.orders.values(), ...returned], accounts),
    carts: cartRecords(changes),
    supplements: supplementRecordChanges(changes),
  };
}

function* contactRecords(
  changes: BatchChanges,
  aliases: ReadonlyMap<number, readonly number[]>,
): Generator<ContactChangeEvent> {
  const ownAgain = new Set(changes.splits.map(({ merged }) => merged));
  // The instant since which it is known may be all that a split changes of a survivor.
  const leftAlone = new Set(changes.splits.map(({ survivor }) => survivor));
  for (const change of changes.contacts.values()) {
    const { number, mergedInto } = change.contact;
    if (mergedInto !== undefined) continue;
    const own = aliases.get(number);
    if (change.isNew || change.fields.size > 0 || own !== undefined || leftAlone.has(number)) {
      const record = contactRecord(change, own ?? []);
      yield ownAgain.has(number) ? { ...record, ownAgain: true } : record;
    }
  }
  for (const change of changes.contacts.values()) {
    const { mergedInto } = change.contact;
    if (mergedInto !== undefined) yield { ...contactRecord(change, []), fields: removedFields(change), mergedInto };
  }
  for (const { contact, version } of changes.erasures) yield erasedRecord(contact, version);
}

function contactRecord({ contact, fields }: ContactChange, aliases: readonly number[]): ContactChangeEvent {
  const { account, number, cid, createdAt, modifiedAt, version } = contact;
  const changed = new Array<FieldChange>(fields.size);
  let at = 0;
  fields.forEach((path, value, own) => {
    changed[at++] = own === version ? [path, value] : [path, value, own];
  });
  const lastModified = modifiedAt;
  if (aliases.length === 0) return { account, contact: number, cid, createdAt, lastModified, version, fields: changed };
  return { account, contact: number, cid, createdAt, lastModified, version, aliases, fields: changed };
}

function erasedRecord(contact: Contact, version: Version): ContactChangeEvent {
  const { account, number, cid, createdAt, modifiedAt } = contact;
  return { account, contact: number, cid, createdAt, lastModified: modifiedAt, version, erased: true, fields: [] };
}

/** Every number that now resolves to a survivor, chains of merges within the batch included. */
function aliasesOf(
  changes: BatchChanges,
  { aliasesBefore, aliasesReturned }: StoredChanges,
): ReadonlyMap<number, readonly number[]> {
  const result = new Map<number, number[]>([...aliasesReturned].map(([number, aliases]) => [number, [...aliases]]));
  for (const { merged } of changes.merges) {
    const survivor = finalSurvivor(merged, changes);
    const numbers = result.get(survivor) ?? [];
    numbers.push(merged.number, ...(aliasesBefore.get(merged.number) ?? []));
    result.set(survivor, numbers);
  }
  return result;
}

/** All members of a dead contact go from the present. */
function removedFields({ contact, fields }: ContactChange): ContactChangeEvent["fields"] {
  const paths = new Set(fields.keys());
  for (const name of contact.attributes.keys()) paths.add(`attributes.${name}`);
  for (const name of contact.channels.keys()) {
    for (const member of channelMembers) paths.add(`channels.${name}.${member}`);
  }
  return [...paths].map((path) => [path, null] as const);
}

const channelMembers = ["address", "subscribeStatus", "subscribedAt", "unsubscribedAt", "valid"] as const;

function membershipRecords(changes: BatchChanges): MembershipChangeEvent[] {
  const result: MembershipChangeEvent[] = [];
  for (const { account, membership, visible, emittedAs, suppressTriggers } of changes.memberships.values()) {
    if (!visible) continue;
    const version = emittedAs ?? membership.version;
    result.push({ account, ...membership, version, ...triggerMark(version, suppressTriggers) });
  }
  return result;
}

/** Lists a dead contact was on: not its own any more. */
function leftMemberships(changes: BatchChanges): MembershipChangeEvent[] {
  return changes.merges.flatMap(({ account, merged, memberships }) =>
    memberships.map(({ list, joinedAt, version }) => {
      return { account, list, contact: merged.number, present: false, joinedAt, version, merge: true } as const;
    }),
  );
}

function orderRecords(
  changes: Iterable<Omit<OrderChange, "mergedFrom">>,
  accounts: ReadonlyMap<number, Account>,
): OrderChangeEvent[] {
  const result: OrderChangeEvent[] = [];
  for (const { account, order, visible, suppressTriggers } of changes) {
    const settings = accounts.get(account)?.settings;
    if (!visible || settings === undefined) continue;
    const { purchasedAt, status, counts, currency, total, document } = viewOrder(order, settings);
    const { orderId, contact } = order;
    const version = versionOfOrder(order);
    result.push({
      account,
      contact,
      orderId,
      version,
      purchasedAt,
      status,
      counts,
      currency,
      total: total ?? null,
      order: { ...document, purchaseDate: toTimestamp(purchasedAt) },
      ...(isDeletedOrder(order) && { deleted: true }),
      ...triggerMark(version, suppressTriggers),
    });
  }
  return result;
}

/** Carts as they are after the batch; those that merged contacts had come last, as gone. */
function cartRecords({ carts, merges }: BatchChanges): CartChangeEvent[] {
  const dead = new Set(merges.map(({ merged }) => merged.number));
  const live = [...carts.values()].filter(({ cart, visible }) => visible && !dead.has(cart.contact));
  const gone = merges.flatMap(({ account, merged, carts: before }) => {
    if (before.merged === undefined) return [];
    return [{ ...cartRecord(account, { ...before.merged, contact: merged.number }), merge: true as const }];
  });
  const changed = live.map(({ account, cart, emittedAs = cart.version, suppressTriggers }) => ({
    ...cartRecord(account, cart),
    version: emittedAs,
    ...triggerMark(emittedAs, suppressTriggers),
  }));
  return [...changed, ...gone];
}

function cartRecord(account: number, cart: Cart): CartChangeEvent {
  const { contact, version } = cart;
  const { cartId, lines, expiresAt = null, total = null, document } = viewCart(cart);
  return { account, contact, version, cartId, lines, expiresAt, total, cart: document };
}

export function supplementRecordChanges({ supplementRecords }: BatchChanges): SupplementChangeEvent[] {
  return [...supplementRecords.values()]
    .filter(({ visible }) => visible)
    .map(({ account, record }) => supplementChange(account, record));
}

function supplementChange(account: number, record: SupplementRecord): SupplementChangeEvent {
  const { supplement, id, contact = null, version, createdAt, modifiedAt: lastModified, members } = record;
  const fields = [...members].filter(([, { value }]) => value !== null).map(([name, { value }]) => [name, value]);
  const view = { ...Object.fromEntries(fields), id };
  const change = { account, supplement, id, contact, version, createdAt, lastModified };
  if (record.deletedVersion !== undefined && record.deletedVersion >= version)
    return { ...change, record: { id }, deleted: true };
  return { ...change, record: view };
}
