import type { Transaction } from "@headwater/postgres/connection/session";
import { WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { loadAttributeClears, lockAttributes } from "../attributes/attributeClears.ts";
import { lockContacts } from "../contacts/contacts.ts";
import { takeContactNumbers } from "../contacts/sequences.ts";
import { loadSurvivedMerges } from "../contacts/splits.ts";
import type { StateReads } from "../fold/stateReads.ts";
import type { Membership } from "../lists/list.ts";
import { lockMemberships } from "../lists/listClears.ts";
import { loadGreatestListIds, loadListsById, loadListsByName, type StoredList } from "../lists/lists.ts";
import { countListsOfContacts, loadMemberships, loadMembershipsOfContacts } from "../lists/memberships.ts";
import { lockOrders } from "../orders/orders.ts";
import { lockSupplements } from "../supplements/supplementTables.ts";
import {
  type LoadedRows,
  listIdKey,
  listNameKey,
  membershipKey,
  orderKey,
  type StateRead,
} from "../unitOfWork/loadedRows.ts";
import {
  type AccountWriter,
  chargeTo,
  loadCartRows,
  loadRecordRows,
  loadTables,
  tableWriter,
  unloadedCarts,
  unloadedRecords,
  unloadedTables,
} from "./loadCartsAndRecords.ts";
import { loadFormerHolders, loadHashes, loadOwners, Owners } from "./loadOwners.ts";
import type { RecordReads } from "./missingRows.ts";

/** One for all records that ask for nothing of a kind, as most do. */
const none: readonly never[] = [];
/** Numbers taken at least when a batch contacts more than was foreseen. */
const MORE_NUMBERS = 16;

/**
 * Everything the records of a batch will ask for, in two round trips. What they ask beyond comes by `loadReads`.
 * @param last queues a query behind all locks, in the round trip of the last of them.
 */
export async function loadRows(
  transaction: Transaction,
  records: readonly RecordReads[],
  rows: LoadedRows,
  last?: () => Promise<unknown>,
) {
  const asked = new Owners(rows);
  for (const { account, reads } of records) {
    for (const identifier of reads.identifiers) asked.ask(account.number, identifier);
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
    loadLists(transaction, records.flatMap(listReads), rows),
    loadOrders(transaction, records.flatMap(orderReads), rows),
    loadTables(transaction, unloadedTables(records), rows),
  ]);
  const { contacts, creations } = foundBy(records, rows);
  await Promise.all([
    loadContacts(transaction, contacts, rows),
    loadPairs(
      transaction,
      records.flatMap((entry) => membershipReads(entry, rows)),
      rows,
    ),
    loadNumbers(transaction, creations, rows),
    loadCartRows(transaction, unloadedCarts(records, rows), rows),
    loadRecordRows(transaction, unloadedRecords(records, rows), rows),
    last?.(),
  ]);
}

function oldestOf(records: readonly RecordReads[]): string | undefined {
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
function foundBy(records: readonly RecordReads[], rows: LoadedRows) {
  const contacts = new Map<number, StateRead>();
  let creations = 0;
  for (const { account: of, reads } of records) {
    const account = of.number;
    let isFound = false;
    for (const identifier of reads.identifiers) {
      for (const { live: number } of rows.formerHolders.get(account, identifier) ?? none) {
        if (reads.members) contacts.set(number, { kind: "contact", account, number });
      }
      const number = rows.owners.get(account, identifier) ?? undefined;
      if (number === undefined) continue;
      isFound = true;
      if (reads.members) contacts.set(number, { kind: "contact", account, number });
    }
    if (!isFound && reads.members) creations++;
  }
  return { contacts: [...contacts.values()], creations };
}

/** Every write of contacts, and of what hangs on them. */
function attributeWriter({ account: { number: account }, reads: { clearsAttributes: alone = false } }: RecordReads) {
  return { account, alone };
}

async function loadClears(transaction: Transaction, records: readonly RecordReads[], rows: LoadedRows) {
  const accounts = [...new Set(records.map(({ account }) => account.number))];
  for (const [account, clears] of await loadAttributeClears(transaction, accounts)) {
    rows.attributeClears.set(account, clears);
  }
}

/** Returns the contact whose memberships the record may write. Merges are not foreseen: they take the lock when they ask for memberships. */
function listWriter({ account: { number: account }, reads }: RecordReads): readonly AccountWriter[] {
  return namesLists(reads) ? [{ account, alone: reads.clearsList ?? false }] : none;
}

function namesLists({ listName, listId, listIds = none }: StateReads): boolean {
  return listName !== undefined || listId !== undefined || listIds.length > 0;
}

function listReads({ account: of, reads }: RecordReads): readonly StateRead[] {
  if (!namesLists(reads)) return none;
  const account = of.number;
  if (reads.listName !== undefined) return [{ kind: "listName", account, name: reads.listName }];
  return listIdsOf(reads).map((id) => ({ kind: "listId", account, id }));
}

function orderReads({ account: of, reads }: RecordReads): readonly StateRead[] {
  const { orderId, orderIds = none } = reads;
  const ids = orderId === undefined ? orderIds : [orderId, ...orderIds];
  if (ids.length === 0) return none;
  return ids.map((id) => ({ kind: "order", account: of.number, orderId: id }));
}

function membershipReads({ account: of, reads }: RecordReads, rows: LoadedRows): readonly StateRead[] {
  const account = of.number;
  const lists = namesLists(reads) ? listsOf(reads, account, rows) : none;
  if (lists.length === 0) return none;
  return reads.identifiers.flatMap((identifier) => {
    const contact = rows.owners.get(account, identifier) ?? undefined;
    if (contact === undefined) return [];
    return lists.map((list) => ({ kind: "membership", account, list, contact }) as const);
  });
}

function listsOf(reads: StateReads, account: number, rows: LoadedRows): number[] {
  const { listName } = reads;
  const keys =
    listName === undefined ? listIdsOf(reads).map((id) => listIdKey(account, id)) : [listNameKey(account, listName)];
  return keys.flatMap((key) => rows.lists.get(key)?.id ?? []);
}

function listIdsOf({ listId, listIds = none }: StateReads): readonly number[] {
  return listId === undefined ? listIds : [listId];
}

/** One number for every record that may create: unused ones leave gaps. Who writes no member of a contact makes none. */
async function loadNumbers(transaction: Transaction, count: number, rows: LoadedRows) {
  if (count > 0) rows.numbers.push(...(await takeContactNumbers(transaction, count)));
}

/** State that a fold asked for and that was not foreseen, as for merges. */
export async function loadReads(
  transaction: Transaction,
  contacts: readonly StateRead[],
  rows: LoadedRows,
): Promise<void> {
  const asked = new Owners(rows);
  for (const read of contacts) if (read.kind === "owner") asked.ask(read.account, read.identifier);
  if (asked.hashes.length > 0) await loadHashes(transaction, asked, rows);
  await lockMemberships(transaction, contacts.flatMap(membershipWriter));
  await lockSupplements(transaction, contacts.flatMap(recordWriter));
  await loadOwners(transaction, asked, rows);
  await loadFormerHolders(transaction, asked, rows);
  await loadLists(transaction, contacts, rows);
  await loadOrders(transaction, contacts, rows);
  await loadContacts(transaction, contacts, rows);
  await loadPairs(transaction, contacts, rows);
  await loadListCounts(transaction, contacts, rows);
  await loadAllMemberships(transaction, contacts, rows);
  await loadMerges(transaction, contacts, rows);
  await loadCartRows(transaction, contacts, rows);
  await loadTables(transaction, contacts, rows);
  await loadRecordRows(transaction, contacts, rows);
  const creations = contacts.filter(({ kind }) => kind === "numbers").length;
  if (creations > 0) await loadNumbers(transaction, Math.max(creations, MORE_NUMBERS), rows);
}

function membershipWriter(read: StateRead) {
  switch (read.kind) {
    case "listName":
    case "listId":
    case "membership":
    case "membershipsOf":
    case "listCount":
      return [{ account: read.account, alone: false }];
    default:
      return [];
  }
}

function recordWriter({ kind, ...read }: StateRead) {
  const isOfTable = kind === "supplement" || kind === "supplementRecord";
  return isOfTable && "account" in read ? [{ account: read.account, alone: false }] : [];
}

async function loadMerges(transaction: Transaction, contacts: readonly StateRead[], rows: LoadedRows) {
  for (const read of contacts) {
    if (read.kind === "mergesOf") rows.merges.set(read.survivor, await loadSurvivedMerges(transaction, read));
  }
}

async function loadContacts(transaction: Transaction, contacts: readonly StateRead[], rows: LoadedRows) {
  const keys = contacts.flatMap((read) =>
    read.kind === "contact" && !rows.contacts.has(read.number) ? [{ account: read.account, number: read.number }] : [],
  );
  for (const row of chargeTo(rows, await lockContacts(transaction, keys, rows.bytesLeft))) {
    rows.contacts.set(row.number, row);
    // A write of `/v2` goes on by the cID of whom it found: it need not be looked up.
    if (rows.oldest === undefined) {
      rows.owners.set(row.account, { name: "cID", value: row.cid }, row.mergedInto ?? row.number);
    }
  }
  if (keys.some(({ number }) => !rows.contacts.has(number))) throw new WriteConflict("a contact was erased meanwhile");
}

async function loadOrders(transaction: Transaction, contacts: readonly StateRead[], rows: LoadedRows) {
  const keys = new Map<string, { account: number; orderId: string }>();
  for (const read of contacts) if (read.kind === "order") keys.set(orderKey(read.account, read.orderId), read);
  for (const key of keys.keys()) rows.orders.set(key, rows.orders.get(key) ?? null);
  const stored = await lockOrders(transaction, [...keys.values()], rows.bytesLeft);
  for (const row of chargeTo(rows, stored)) rows.orders.set(orderKey(row.account, row.orderId), row);
}

async function loadPairs(transaction: Transaction, contacts: readonly StateRead[], rows: LoadedRows) {
  const keys = new Map<string, { account: number; list: number; contact: number }>();
  for (const read of contacts) {
    if (read.kind === "membership") keys.set(membershipKey(read.list, read.contact), read);
  }
  for (const key of keys.keys()) rows.memberships.set(key, rows.memberships.get(key) ?? null);
  const stored = await loadMemberships(transaction, [...keys.values()]);
  for (const row of stored) rows.memberships.set(membershipKey(row.list, row.contact), row);
}

async function loadAllMemberships(transaction: Transaction, contacts: readonly StateRead[], rows: LoadedRows) {
  const keys = new Map<number, { account: number; contact: number }>();
  const found = new Map<number, Membership[]>();
  for (const read of contacts) {
    if (read.kind !== "membershipsOf" || rows.membershipsOf.has(read.contact)) continue;
    keys.set(read.contact, read);
    found.set(read.contact, []);
  }
  if (keys.size === 0) return;
  for (const row of await loadMembershipsOfContacts(transaction, [...keys.values()])) found.get(row.contact)?.push(row);
  for (const [contact, memberships] of found) rows.membershipsOf.set(contact, memberships);
}

/** Loads the lists that are named, and the greatest id of each account that names one. */
async function loadLists(transaction: Transaction, reads: readonly StateRead[], rows: LoadedRows) {
  const names = new Map<string, { account: number; name: string }>();
  const ids = new Map<string, { account: number; id: number }>();
  for (const read of reads) {
    if (read.kind === "listName") names.set(listNameKey(read.account, read.name), read);
    if (read.kind === "listId") ids.set(listIdKey(read.account, read.id), read);
  }
  for (const key of [...names.keys(), ...ids.keys()]) rows.lists.set(key, rows.lists.get(key) ?? null);
  const isOfLists = ({ kind }: StateRead) => kind === "listName" || kind === "listId" || kind === "greatestListId";
  const accounts = reads.flatMap((read) => (isOfLists(read) && "account" in read ? [read.account] : []));
  const [byName, byId] = await Promise.all([
    loadListsByName(transaction, [...names.values()]),
    loadListsById(transaction, [...ids.values()]),
    loadGreatestIds(transaction, new Set(accounts), rows),
  ]);
  for (const row of byName) {
    rows.lists.set(listNameKey(row.account, row.name), toList(row));
    rows.lists.set(listIdKey(row.account, row.id), toList(row));
  }
  for (const row of byId) rows.lists.set(listIdKey(row.account, row.id), toList(row));
}

/** Loads what decides whether contacts of the accounts have to be counted at all. */
async function loadGreatestIds(transaction: Transaction, accounts: Iterable<number>, rows: LoadedRows) {
  const missing = [...accounts].filter((account) => !rows.greatestListIds.has(account));
  for (const [account, id] of await loadGreatestListIds(transaction, missing)) rows.greatestListIds.set(account, id);
}

/** Counts the lists of contacts. */
async function loadListCounts(transaction: Transaction, reads: readonly StateRead[], rows: LoadedRows) {
  const keys = new Map<number, { account: number; contact: number }>();
  for (const read of reads) if (read.kind === "listCount") keys.set(read.contact, read);
  for (const [contact, count] of await countListsOfContacts(transaction, [...keys.values()])) {
    rows.listCounts.set(contact, count);
  }
}

function toList({ id, name, clearedVersion }: StoredList) {
  return { id, name, clearedVersion: clearedVersion ?? undefined };
}
