import type { Account } from "@headwater/contracts";
import type { BatchChanges, Lookups } from "@headwater/operations";
import { makeMissingLists, type Transaction, unmakeLists } from "@headwater/stores";

/** A record as far as it may bring up a list. */
export interface Listing {
  readonly account: Account;
  /** `addContactsToList` brings up lists; the others name them only. */
  readonly operation: { readonly name: string };
  readonly lookups: Pick<Lookups, "listName">;
}

/** Ids of lists by number of their account. */
export type MadeLists = ReadonlyMap<number, readonly number[]>;

/**
 * Makes lists that records bring up, in the batch's transaction: one that is rolled back leaves none. Ids are counted, so that the lock of
 * names is held to the end, by a batch that brings up a name; it comes before all locks but that of the offset, account by account.
 * @param nowMs milliseconds since 1970.
 */
export async function bringUpLists(
  transaction: Transaction,
  records: readonly Listing[],
  nowMs: number,
): Promise<MadeLists> {
  const made = new Map<number, readonly number[]>();
  for (const [account, names] of [...namesOf(records)].sort(([a], [b]) => a - b)) {
    const ids = await makeMissingLists(transaction, { account, names: [...names], createdAt: nowMs });
    if (ids.length > 0) made.set(account, ids);
  }
  return made;
}

function namesOf(records: readonly Listing[]): Map<number, Set<string>> {
  const names = new Map<number, Set<string>>();
  for (const { account, operation, lookups } of records) {
    const { listName } = lookups;
    if (listName === undefined || operation.name !== "addContactsToList" || account.settings.strictLists) continue;
    const own = names.get(account.number) ?? new Set();
    names.set(account.number, own.add(listName));
  }
  return names;
}

/** Takes away those onto which no record has put anybody: all that named them were refused, parked or skipped. */
export async function dropUnusedLists(
  transaction: Transaction,
  made: MadeLists,
  { memberships }: Pick<BatchChanges, "memberships">,
): Promise<void> {
  if (made.size === 0) return;
  const used = new Set([...memberships.values()].map(({ account, membership }) => `${account} ${membership.list}`));
  for (const [account, ids] of made) {
    const unused = ids.filter((id) => !used.has(`${account} ${id}`));
    if (unused.length > 0) await unmakeLists(transaction, account, unused);
  }
}
