import type { Account } from "@headwater/contracts";
import {
  IdentifierMap,
  type LoadedRows,
  type Lookups,
  listIdKey,
  listNameKey,
  membershipKey,
  type Need,
  orderKey,
} from "@headwater/operations";
import {
  loadCids,
  loadIdentifiers,
  loadListsById,
  loadListsByName,
  loadMemberships,
  loadMembershipsOfContacts,
  lockContacts,
  lockOrders,
  type StoredList,
  type Transaction,
  takeContactNumbers,
} from "@headwater/stores";
import {
  cartNeeds,
  cartsOfMerges,
  loadCartRows,
  loadRecordRows,
  loadTables,
  recordNeeds,
  tableNeeds,
} from "./loadCartsAndRecords.ts";
import type { PlacedRecord } from "./placedRecord.ts";

/** Everything the records of a batch will ask for, in two round trips. What they ask beyond comes by `loadNeeds`. */
export async function loadRows(transaction: Transaction, records: readonly PlacedRecord[], rows: LoadedRows) {
  const identifiers = new IdentifierMap<true>();
  for (const { account, lookups } of records) {
    for (const identifier of lookups.identifiers) identifiers.set(account.number, identifier, true);
  }
  await Promise.all([
    loadOwners(transaction, identifiers, rows),
    loadLists(transaction, records.flatMap(listNeeds), rows),
    loadOrders(transaction, records.flatMap(orderNeeds), rows),
    loadTables(transaction, tableNeeds(records), rows),
  ]);
  await Promise.all([
    loadContacts(transaction, contactsOf(records, rows), rows),
    loadPairs(
      transaction,
      records.flatMap((entry) => pairsOf(entry, rows)),
      rows,
    ),
    loadNumbers(transaction, records, rows),
    loadCartRows(transaction, cartNeeds(records, rows), rows),
    loadRecordRows(transaction, recordNeeds(records, rows), rows),
  ]);
}

async function loadOwners(transaction: Transaction, asked: IdentifierMap<true>, rows: LoadedRows) {
  const values: { account: number; name: string; value: string }[] = [];
  const cids: { account: number; cid: string }[] = [];
  for (const { account, identifier } of asked.entries()) {
    if (rows.owners.get(account, identifier) !== undefined) continue;
    rows.owners.set(account, identifier, null);
    const { name, value } = identifier;
    if (name === "cID") cids.push({ account, cid: value });
    else values.push({ account, name, value });
  }
  const [byValue, byCid] = await Promise.all([loadIdentifiers(transaction, values), loadCids(transaction, cids)]);
  for (const row of byValue) rows.owners.set(row.account, row, row.contact);
  for (const row of byCid) rows.owners.set(row.account, { name: "cID", value: row.cid }, row.contact);
}

/** Contacts whose members are read or written; those that records only point at are not loaded. */
function contactsOf(records: readonly PlacedRecord[], rows: LoadedRows): Need[] {
  const needs = new Map<number, Need>();
  for (const { account: of, lookups } of records) {
    if (!lookups.members) continue;
    const account = of.number;
    for (const identifier of lookups.identifiers) {
      const number = rows.owners.get(account, identifier) ?? undefined;
      if (number !== undefined) needs.set(number, { kind: "contact", account, number });
    }
  }
  return [...needs.values()];
}

function listNeeds({ account: of, lookups }: PlacedRecord): Need[] {
  const account = of.number;
  if (lookups.listName !== undefined) return [{ kind: "listName", account, name: lookups.listName }];
  return lookups.listId === undefined ? [] : [{ kind: "listId", account, id: lookups.listId }];
}

function orderNeeds({ account: of, lookups }: PlacedRecord): Need[] {
  if (lookups.orderId === undefined) return [];
  return [{ kind: "order", account: of.number, orderId: lookups.orderId }];
}

function pairsOf({ account: of, lookups }: PlacedRecord, rows: LoadedRows): Need[] {
  const account = of.number;
  const list = listOf(lookups, account, rows);
  if (list === undefined) return [];
  return lookups.identifiers.flatMap((identifier) => {
    const contact = rows.owners.get(account, identifier) ?? undefined;
    return contact === undefined ? [] : [{ kind: "membership", account, list, contact } as const];
  });
}

function listOf(lookups: Lookups, account: number, rows: LoadedRows): number | undefined {
  if (lookups.listName !== undefined) return rows.lists.get(listNameKey(account, lookups.listName))?.id;
  return lookups.listId === undefined ? undefined : rows.lists.get(listIdKey(account, lookups.listId))?.id;
}

/** One number for every record that may create: unused ones leave gaps. Who writes no member of a contact makes none. */
async function loadNumbers(transaction: Transaction, records: readonly PlacedRecord[], rows: LoadedRows) {
  let count = 0;
  for (const { account, lookups } of records) {
    if (!lookups.members) continue;
    if (lookups.identifiers.every((id) => (rows.owners.get(account.number, id) ?? null) === null)) count++;
  }
  if (count > 0) rows.numbers.push(...(await takeContactNumbers(transaction, count)));
}

/** State that a fold asked for and that was not foreseen, as for merges. */
export async function loadNeeds(transaction: Transaction, needs: readonly Need[], rows: LoadedRows): Promise<void> {
  const owners = new IdentifierMap<true>();
  for (const need of needs) if (need.kind === "owner") owners.set(need.account, need.identifier, true);
  await loadOwners(transaction, owners, rows);
  await loadLists(transaction, needs, rows);
  await loadOrders(transaction, needs, rows);
  await loadContacts(transaction, needs, rows);
  await loadPairs(transaction, needs, rows);
  await loadAllMemberships(transaction, needs, rows);
  await loadCartRows(transaction, [...needs, ...cartsOfMerges(needs, rows)], rows);
  await loadTables(transaction, needs, rows);
  await loadRecordRows(transaction, needs, rows);
  if (needs.some(({ kind }) => kind === "numbers")) rows.numbers.push(...(await takeContactNumbers(transaction, 16)));
}

async function loadContacts(transaction: Transaction, needs: readonly Need[], rows: LoadedRows) {
  const keys = needs.flatMap((need) =>
    need.kind === "contact" && !rows.contacts.has(need.number) ? [{ account: need.account, number: need.number }] : [],
  );
  for (const row of await lockContacts(transaction, keys)) rows.contacts.set(row.number, row);
}

async function loadLists(transaction: Transaction, needs: readonly Need[], rows: LoadedRows) {
  const names = new Map<string, { account: number; name: string }>();
  const ids = new Map<string, { account: number; id: number }>();
  for (const need of needs) {
    if (need.kind === "listName") names.set(listNameKey(need.account, need.name), need);
    if (need.kind === "listId") ids.set(listIdKey(need.account, need.id), need);
  }
  for (const key of [...names.keys(), ...ids.keys()]) rows.lists.set(key, rows.lists.get(key) ?? null);
  const [byName, byId] = await Promise.all([
    loadListsByName(transaction, [...names.values()]),
    loadListsById(transaction, [...ids.values()]),
  ]);
  for (const row of byName) rows.lists.set(listNameKey(row.account, row.name), toList(row));
  for (const row of byId) rows.lists.set(listIdKey(row.account, row.id), toList(row));
}

function toList({ id, name, clearedVersion }: StoredList) {
  return { id, name, clearedVersion: clearedVersion ?? undefined };
}

async function loadOrders(transaction: Transaction, needs: readonly Need[], rows: LoadedRows) {
  const keys = new Map<string, { account: number; orderId: string }>();
  for (const need of needs) if (need.kind === "order") keys.set(orderKey(need.account, need.orderId), need);
  for (const key of keys.keys()) rows.orders.set(key, rows.orders.get(key) ?? null);
  const stored = await lockOrders(transaction, [...keys.values()]);
  for (const row of stored) rows.orders.set(orderKey(row.account, row.orderId), row);
}

async function loadPairs(transaction: Transaction, needs: readonly Need[], rows: LoadedRows) {
  const keys = new Map<string, { account: number; list: number; contact: number }>();
  for (const need of needs) {
    if (need.kind === "membership") keys.set(membershipKey(need.list, need.contact), need);
  }
  for (const key of keys.keys()) rows.memberships.set(key, rows.memberships.get(key) ?? null);
  const stored = await loadMemberships(transaction, [...keys.values()]);
  for (const row of stored) rows.memberships.set(membershipKey(row.list, row.contact), row);
}

/** One merge asks for its contact's lists; the next will ask for others', so those of all loaded contacts are fetched. */
async function loadAllMemberships(transaction: Transaction, needs: readonly Need[], rows: LoadedRows) {
  if (!needs.some(({ kind }) => kind === "membershipsOf")) return;
  const keys = [...rows.contacts.values()].filter(({ number }) => !rows.membershipsOf.has(number));
  for (const { number } of keys) rows.membershipsOf.set(number, []);
  const stored = await loadMembershipsOfContacts(
    transaction,
    keys.map(({ account, number }) => ({ account, contact: number })),
  );
  for (const row of stored) rows.membershipsOf.set(row.contact, [...(rows.membershipsOf.get(row.contact) ?? []), row]);
}

/** Names of lists and attributes that records bring up and that may be made on the spot. */
export function definitionsOf(records: readonly PlacedRecord[]) {
  const lists = new Map<string, { account: Account; name: string }>();
  const attributes = new Map<string, { account: Account; key: string }>();
  for (const { account, operation, lookups } of records) {
    const { listName, attributes: keys } = lookups;
    if (operation.name === "addContactsToList" && listName !== undefined && !account.settings.strictLists) {
      lists.set(listNameKey(account.number, listName), { account, name: listName });
    }
    for (const key of keys ?? []) {
      if (key !== "channels") attributes.set(`${account.number}\n${key}`, { account, key });
    }
  }
  return { lists, attributes };
}
