import type { Account } from "@headwater/contracts";
import type { LostChanges } from "@headwater/guard/consistency/lostChanges";
import type { Transaction } from "@headwater/postgres/connection/session";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import { fromCartRow } from "../carts/cart.ts";
import { loadCarts } from "../carts/carts.ts";
import { fromRow } from "../contacts/contactDocument.ts";
import { loadContacts, readAliases } from "../contacts/contacts.ts";
import { IdentifierMap } from "../contacts/identifierMap.ts";
import { membersView } from "../contacts/membersView.ts";
import { takeOutboxPositions } from "../contacts/sequences.ts";
import { loadMemberships } from "../lists/memberships.ts";
import { fromOrderRow } from "../orders/orderDocument.ts";
import { loadOrders } from "../orders/orders.ts";
import { fromSupplementRecordRow } from "../supplements/supplement.ts";
import { lockSupplementRecords } from "../supplements/supplementRecords.ts";
import type { BatchChanges } from "../unitOfWork/batchChanges.ts";
import { membershipKey, orderKey, supplementRecordKey } from "../unitOfWork/loadedRows.ts";
import { nothingMoved } from "../writes/storeBatch.ts";
import { toOutboxRows, toPieces } from "./outboxRows.ts";
import { toChangeEvents } from "./toChangeEvents.ts";

export interface ReemitOptions {
  readonly accounts: ReadonlyMap<number, Account>;
  /** A partition of the change topics. */
  readonly sourcePartition: number;
  /** Default: a new one, so that readers forget what they have read. */
  readonly revision?: number;
}

/**
 * Emits what the store holds of everything that lost change events were about, with a new revision: readers forget what the events
 * said. What the store does not hold is not emitted.
 * @returns how many change events were written.
 */
export async function reemitState(
  transaction: Transaction,
  lost: LostChanges,
  { accounts, sourcePartition, revision }: ReemitOptions,
): Promise<number> {
  const aliases = await readAliases(transaction, lost.contacts);
  const changes = await loadChanges(transaction, lost);
  const aliasesReturned = new Map<number, number[]>();
  for (const { number, survivor } of aliases) {
    aliasesReturned.set(survivor, [...(aliasesReturned.get(survivor) ?? []), number]);
  }
  const pieces = toPieces({ ...toChangeEvents(changes, accounts, { ...nothingMoved, aliasesReturned }), rejects: [] });
  const positions = await takeOutboxPositions(transaction, pieces.length);
  await appendOutbox(
    transaction,
    toOutboxRows(pieces, { positions, sourcePartition, ...(revision !== undefined && { revision }) }),
  );
  return pieces.reduce((sum, { texts }) => sum + texts.length, 0);
}

async function loadChanges(transaction: Transaction, lost: LostChanges): Promise<BatchChanges> {
  return {
    ...nothingChanged(),
    contacts: await contactChanges(transaction, lost),
    memberships: await membershipChanges(transaction, lost),
    orders: await orderChanges(transaction, lost),
    carts: await cartChanges(transaction, lost),
    supplementRecords: await recordChanges(transaction, lost),
  };
}

async function contactChanges(transaction: Transaction, { contacts }: LostChanges): Promise<BatchChanges["contacts"]> {
  const rows = await loadContacts(transaction, contacts);
  return new Map(
    rows.map((row) => {
      const contact = fromRow(row);
      // Identifiers have no version of their own: they are emitted with the contact's, at which they are what they are.
      const fields = membersView(contact, contact.version);
      return [contact.number, { contact, fields, isNew: true }];
    }),
  );
}

async function membershipChanges(transaction: Transaction, { memberships }: LostChanges) {
  const rows = await loadMemberships(transaction, memberships);
  return new Map(
    rows.map(({ account, ...membership }) => {
      const key = `${account}\n${membershipKey(membership.list, membership.contact)}`;
      return [key, { account, membership, visible: true, suppressTriggers: true }] as const;
    }),
  );
}

async function orderChanges(transaction: Transaction, { orders }: LostChanges) {
  const rows = await loadOrders(transaction, orders);
  return new Map(
    rows.map((row) => {
      const order = fromOrderRow(row.orderId, row);
      const change = { account: row.account, order, visible: true, mergedFrom: undefined, suppressTriggers: true };
      return [orderKey(row.account, row.orderId), change] as const;
    }),
  );
}

async function cartChanges(transaction: Transaction, { carts }: LostChanges) {
  const rows = await loadCarts(transaction, carts);
  return new Map(
    rows.map((row) => {
      const cart = fromCartRow(row.contact, row);
      return [row.contact, { account: row.account, cart, visible: true, suppressTriggers: true }] as const;
    }),
  );
}

async function recordChanges(transaction: Transaction, { records }: LostChanges) {
  const rows = await lockSupplementRecords(transaction, records);
  return new Map(
    rows.map((row) => {
      const record = fromSupplementRecordRow(row.supplement, row.id, row);
      const change = { account: row.account, record, visible: true, before: undefined };
      return [supplementRecordKey(row.account, row.supplement, row.id), change] as const;
    }),
  );
}

function nothingChanged(): BatchChanges {
  return {
    contacts: new Map(),
    owners: new IdentifierMap(),
    formerIdentifiers: [],
    formersGiven: [],
    merges: [],
    splits: [],
    erasures: [],
    suppressions: [],
    memberships: new Map(),
    orders: new Map(),
    clears: [],
    activityKeys: new Set(),
    carts: new Map(),
    supplementRecords: new Map(),
    supplementClears: [],
  };
}
