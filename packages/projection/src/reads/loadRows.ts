import type { Membership, StateReads } from "@headwater/domain";
import { loadAttributeClears, lockAttributes } from "@headwater/stores/attributes";
import { lockContacts, takeContactNumbers } from "@headwater/stores/contacts";
import { loadMemberships, loadMembershipsOfContacts, lockMemberships } from "@headwater/stores/lists";
import { loadSurvivedMerges } from "@headwater/stores/merges";
import { lockOrders } from "@headwater/stores/orders";
import type { Transaction } from "@headwater/stores/postgres";
import { lockSupplements } from "@headwater/stores/supplements";
import {
  type LoadedRows,
  listIdKey,
  listNameKey,
  membershipKey,
  orderKey,
  type StateRead,
} from "../unitOfWork/loadedRows.ts";
import { WriteConflict } from "../unitOfWork/writeConflict.ts";
import {
  chargeTo,
  loadCartRows,
  loadRecordRows,
  loadTables,
  tableWriter,
  unloadedCarts,
  unloadedRecords,
  unloadedTables,
} from "./loadCartsAndRecords.ts";
import { loadListCounts, loadLists } from "./loadLists.ts";
import { loadFormerHolders, loadHashes, loadOwners, Owners } from "./loadOwners.ts";
import type { Asking } from "./missingRows.ts";

/** Numbers taken at least when a batch needs more than was foreseen. */
const MORE_NUMBERS = 16;

/** Everything the records of a batch will ask for, in two round trips. What they ask beyond comes by `loadNeeds`. */
export async function loadRows(transaction: Transaction, records: readonly Asking[], rows: LoadedRows) {
  const asked = new Owners(rows);
  for (const { account, lookups } of records) {
    for (const identifier of lookups.identifiers) asked.ask(account.number, identifier);
  }
  rows.oldest = oldestOf(records);
  if (asked.hashes.length > 0) await loadHashes(transaction, asked, rows);
  await Promise.all([
    // The first lock of all: who deletes a definition holds it alone and waits for no other.
    lockAttributes(transaction, records.map(attributeWriter)),
    loadClears(transaction, records, rows),
    // The first of them: what is read of lists and memberships is read under it.
    lockMemberships(transaction, records.flatMap(listWriter)),
    lockSupplements(transaction, records.flatMap(tableWriter)),
    loadOwners(transaction, asked, rows),
    // Behind the owners: who is not found because of a change is found by what was before it.
    loadFormerHolders(transaction, asked, rows),
    loadLists(transaction, records.flatMap(listNeeds), rows),
    loadOrders(transaction, records.flatMap(orderNeeds), rows),
    loadTables(transaction, unloadedTables(records), rows),
  ]);
  const { contacts, creations } = foundBy(records, rows);
  await Promise.all([
    loadContacts(transaction, contacts, rows),
    loadPairs(
      transaction,
      records.flatMap((entry) => pairsOf(entry, rows)),
      rows,
    ),
    loadNumbers(transaction, creations, rows),
    loadCartRows(transaction, unloadedCarts(records, rows), rows),
    loadRecordRows(transaction, unloadedRecords(records, rows), rows),
  ]);
}

function oldestOf(records: readonly Asking[]): string | undefined {
  let oldest: string | undefined;
  for (const { version } of records) {
    if (version !== undefined && (oldest === undefined || version < oldest)) oldest = version;
  }
  return oldest;
}

/**
 * Contacts whose members are read or written (those that records only point at are not loaded), and how many records find
 * nobody and may create.
 */
function foundBy(records: readonly Asking[], rows: LoadedRows) {
  const needs = new Map<number, StateRead>();
  let creations = 0;
  for (const { account: of, lookups } of records) {
    const account = of.number;
    let isFound = false;
    for (const identifier of lookups.identifiers) {
      for (const { living: number } of rows.formerHolders.get(account, identifier) ?? []) {
        if (lookups.members) needs.set(number, { kind: "contact", account, number });
      }
      const number = rows.owners.get(account, identifier) ?? undefined;
      if (number === undefined) continue;
      isFound = true;
      if (lookups.members) needs.set(number, { kind: "contact", account, number });
    }
    if (!isFound && lookups.members) creations++;
  }
  return { contacts: [...needs.values()], creations };
}

/** Every write of contacts, and of what hangs on them. */
function attributeWriter({ account: { number: account }, lookups: { clearsAttributes: alone = false } }: Asking) {
  return { account, alone };
}

async function loadClears(transaction: Transaction, records: readonly Asking[], rows: LoadedRows) {
  const accounts = [...new Set(records.map(({ account }) => account.number))];
  for (const [account, clears] of await loadAttributeClears(transaction, accounts)) {
    rows.attributeClears.set(account, clears);
  }
}

/** Returns the contact whose memberships the record may write. Merges are not foreseen: they take the lock when they ask for memberships. */
function listWriter({ account: { number: account }, lookups }: Asking) {
  const { listName, listId, listIds = [], clearsList: alone = false } = lookups;
  return listName === undefined && listId === undefined && listIds.length === 0 ? [] : [{ account, alone }];
}

function listNeeds({ account: of, lookups }: Asking): StateRead[] {
  const account = of.number;
  if (lookups.listName !== undefined) return [{ kind: "listName", account, name: lookups.listName }];
  return listIdsOf(lookups).map((id) => ({ kind: "listId", account, id }));
}

function orderNeeds({ account: of, lookups }: Asking): StateRead[] {
  const { orderId, orderIds = [] } = lookups;
  const ids = orderId === undefined ? orderIds : [orderId, ...orderIds];
  return ids.map((id) => ({ kind: "order", account: of.number, orderId: id }));
}

function pairsOf({ account: of, lookups }: Asking, rows: LoadedRows): StateRead[] {
  const account = of.number;
  const lists = listsOf(lookups, account, rows);
  if (lists.length === 0) return [];
  return lookups.identifiers.flatMap((identifier) => {
    const contact = rows.owners.get(account, identifier) ?? undefined;
    if (contact === undefined) return [];
    return lists.map((list) => ({ kind: "membership", account, list, contact }) as const);
  });
}

function listsOf(lookups: StateReads, account: number, rows: LoadedRows): number[] {
  const { listName } = lookups;
  const keys =
    listName === undefined ? listIdsOf(lookups).map((id) => listIdKey(account, id)) : [listNameKey(account, listName)];
  return keys.flatMap((key) => rows.lists.get(key)?.id ?? []);
}

function listIdsOf({ listId, listIds = [] }: StateReads): readonly number[] {
  return listId === undefined ? listIds : [listId];
}

/** One number for every record that may create: unused ones leave gaps. Who writes no member of a contact makes none. */
async function loadNumbers(transaction: Transaction, count: number, rows: LoadedRows) {
  if (count > 0) rows.numbers.push(...(await takeContactNumbers(transaction, count)));
}

/** State that a fold asked for and that was not foreseen, as for merges. */
export async function loadReads(
  transaction: Transaction,
  needs: readonly StateRead[],
  rows: LoadedRows,
): Promise<void> {
  const asked = new Owners(rows);
  for (const need of needs) if (need.kind === "owner") asked.ask(need.account, need.identifier);
  if (asked.hashes.length > 0) await loadHashes(transaction, asked, rows);
  await lockMemberships(transaction, needs.flatMap(membershipWriter));
  await lockSupplements(transaction, needs.flatMap(recordWriter));
  await loadOwners(transaction, asked, rows);
  await loadFormerHolders(transaction, asked, rows);
  await loadLists(transaction, needs, rows);
  await loadOrders(transaction, needs, rows);
  await loadContacts(transaction, needs, rows);
  await loadPairs(transaction, needs, rows);
  await loadListCounts(transaction, needs, rows);
  await loadAllMemberships(transaction, needs, rows);
  await loadMerges(transaction, needs, rows);
  await loadCartRows(transaction, needs, rows);
  await loadTables(transaction, needs, rows);
  await loadRecordRows(transaction, needs, rows);
  const creations = needs.filter(({ kind }) => kind === "numbers").length;
  if (creations > 0) await loadNumbers(transaction, Math.max(creations, MORE_NUMBERS), rows);
}

function membershipWriter(need: StateRead) {
  switch (need.kind) {
    case "listName":
    case "listId":
    case "membership":
    case "membershipsOf":
    case "listCount":
      return [{ account: need.account, alone: false }];
    default:
      return [];
  }
}

function recordWriter({ kind, ...need }: StateRead) {
  const isOfTable = kind === "supplement" || kind === "supplementRecord";
  return isOfTable && "account" in need ? [{ account: need.account, alone: false }] : [];
}

async function loadMerges(transaction: Transaction, needs: readonly StateRead[], rows: LoadedRows) {
  for (const need of needs) {
    if (need.kind === "mergesOf") rows.merges.set(need.survivor, await loadSurvivedMerges(transaction, need));
  }
}

async function loadContacts(transaction: Transaction, needs: readonly StateRead[], rows: LoadedRows) {
  const keys = needs.flatMap((need) =>
    need.kind === "contact" && !rows.contacts.has(need.number) ? [{ account: need.account, number: need.number }] : [],
  );
  for (const row of chargeTo(rows, await lockContacts(transaction, keys, rows.bytesLeft))) {
    rows.contacts.set(row.number, row);
  }
  if (keys.some(({ number }) => !rows.contacts.has(number))) throw new WriteConflict("a contact was erased meanwhile");
}

async function loadOrders(transaction: Transaction, needs: readonly StateRead[], rows: LoadedRows) {
  const keys = new Map<string, { account: number; orderId: string }>();
  for (const need of needs) if (need.kind === "order") keys.set(orderKey(need.account, need.orderId), need);
  for (const key of keys.keys()) rows.orders.set(key, rows.orders.get(key) ?? null);
  const stored = await lockOrders(transaction, [...keys.values()], rows.bytesLeft);
  for (const row of chargeTo(rows, stored)) rows.orders.set(orderKey(row.account, row.orderId), row);
}

async function loadPairs(transaction: Transaction, needs: readonly StateRead[], rows: LoadedRows) {
  const keys = new Map<string, { account: number; list: number; contact: number }>();
  for (const need of needs) {
    if (need.kind === "membership") keys.set(membershipKey(need.list, need.contact), need);
  }
  for (const key of keys.keys()) rows.memberships.set(key, rows.memberships.get(key) ?? null);
  const stored = await loadMemberships(transaction, [...keys.values()]);
  for (const row of stored) rows.memberships.set(membershipKey(row.list, row.contact), row);
}

async function loadAllMemberships(transaction: Transaction, needs: readonly StateRead[], rows: LoadedRows) {
  const keys = new Map<number, { account: number; contact: number }>();
  const found = new Map<number, Membership[]>();
  for (const need of needs) {
    if (need.kind !== "membershipsOf" || rows.membershipsOf.has(need.contact)) continue;
    keys.set(need.contact, need);
    found.set(need.contact, []);
  }
  if (keys.size === 0) return;
  for (const row of await loadMembershipsOfContacts(transaction, [...keys.values()])) found.get(row.contact)?.push(row);
  for (const [contact, memberships] of found) rows.membershipsOf.set(contact, memberships);
}
