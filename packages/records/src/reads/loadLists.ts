import type { Transaction } from "@headwater/postgres/connection/session";
import { loadGreatestListIds, loadListsById, loadListsByName, type StoredList } from "../lists/lists.ts";
import { countListsOfContacts } from "../lists/memberships.ts";
import { type LoadedRows, listIdKey, listNameKey, type StateRead } from "../unitOfWork/loadedRows.ts";

/** Loads the lists that are named, and the greatest id of each account that names one. */
export async function loadLists(transaction: Transaction, reads: readonly StateRead[], rows: LoadedRows) {
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
export async function loadListCounts(transaction: Transaction, reads: readonly StateRead[], rows: LoadedRows) {
  const keys = new Map<number, { account: number; contact: number }>();
  for (const read of reads) if (read.kind === "listCount") keys.set(read.contact, read);
  for (const [contact, count] of await countListsOfContacts(transaction, [...keys.values()])) {
    rows.listCounts.set(contact, count);
  }
}

function toList({ id, name, clearedVersion }: StoredList) {
  return { id, name, clearedVersion: clearedVersion ?? undefined };
}
