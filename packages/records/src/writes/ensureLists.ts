import type { Account } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { StateReads } from "../fold/stateReads.ts";
import { createMissingLists, type ListName, loadListsByName, unmakeLists } from "../lists/lists.ts";
import type { BatchChanges } from "../unitOfWork/batchChanges.ts";
import { listNameKey } from "../unitOfWork/loadedRows.ts";

/** A record as far as it may bring up a list. */
export interface Listing {
  readonly account: Account;
  /** `addContactsToList` brings up lists; the others name them only. */
  readonly operation: { readonly name: string };
  readonly reads: Pick<StateReads, "listName">;
}

/** Ids of lists by number of their account. */
export type CreatedLists = ReadonlyMap<number, readonly number[]>;

/**
 * Makes lists that records bring up, in the batch's transaction: one that is rolled back leaves none. One look shows that all are there, as
 * they nearly always are. Ids are counted, so that the lock of names is held to the end, by a batch that brings up a name; it comes before
 * all locks but those of the offset and of the batch's accounts, account by account.
 * @param nowMs milliseconds since 1970.
 */
export async function ensureLists(
  transaction: Transaction,
  records: readonly Listing[],
  nowMs: number,
): Promise<CreatedLists> {
  const named = namesOf(records);
  const found = await loadListsByName(transaction, [...named.values()]);
  for (const { account, name } of found) named.delete(listNameKey(account, name));
  if (named.size === 0) return new Map();
  const created = new Map<number, readonly number[]>();
  const limits = new Map(records.map(({ account }) => [account.number, account.settings.limits.listsPerAccount]));
  for (const [account, missing] of [...Map.groupBy(named.values(), (one) => one.account)].sort(([a], [b]) => a - b)) {
    const names = missing.map(({ name }) => name);
    const listsMax = limits.get(account);
    const ids = await createMissingLists(transaction, {
      account,
      names,
      createdAt: nowMs,
      ...(listsMax && { listsMax }),
    });
    if (ids.length > 0) created.set(account, ids);
  }
  return created;
}

/** Each once, by `listNameKey`. */
function namesOf(records: readonly Listing[]): Map<string, ListName> {
  const names = new Map<string, ListName>();
  for (const { account, operation, reads } of records) {
    const { listName: name } = reads;
    if (name === undefined || operation.name !== "addContactsToList" || account.settings.strictLists) continue;
    const key = listNameKey(account.number, name);
    if (!names.has(key)) names.set(key, { account: account.number, name });
  }
  return names;
}

/**
 * Takes away those onto which no record has put anybody: all that named them were refused, parked or skipped.
 * @param changes of every part of the batch.
 */
export async function deleteUnusedLists(
  transaction: Transaction,
  built: CreatedLists,
  { memberships }: { readonly memberships: readonly BatchChanges["memberships"][] },
): Promise<void> {
  if (built.size === 0) return;
  const used = new Set<string>();
  for (const changed of memberships) {
    for (const { account, membership } of changed.values()) used.add(`${account} ${membership.list}`);
  }
  for (const [account, ids] of built) {
    const unused = ids.filter((id) => !used.has(`${account} ${id}`));
    if (unused.length > 0) await unmakeLists(transaction, account, unused);
  }
}
