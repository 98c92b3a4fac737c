import { type AccountLock, lockAccounts } from "@headwater/accounts/accounts/accountLocks";
import { plainArray } from "@headwater/postgres/connection/arrays";
import { readInKeyOrder } from "@headwater/postgres/connection/keyOrder";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_404;

/**
 * Waits until nobody clears or indexes a table of these accounts, and lets nobody do so before the transaction ends. With `alone`
 * nobody writes a record of the account meanwhile. To be taken before tables and records are read, always in the same order.
 */
export async function lockSupplements(transaction: Transaction, accounts: Iterable<AccountLock>): Promise<void> {
  await lockAccounts(transaction, LOCK_CLASS, accounts);
}

/** A table was emptied: records at or below the version are gone. */
export interface StoredSupplementClear {
  readonly account: number;
  readonly supplement: number;
  readonly version: string;
}

const clearStatement = {
  name: "supplements_clear",
  text: `UPDATE supplements SET cleared_version = GREATEST(cleared_version, $3::uuid) WHERE account = $1 AND id = $2`,
};
const keepClearStatement = {
  name: "supplement_clears_insert",
  text: "INSERT INTO supplement_clears (account, supplement, version) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
};
/** Both parts see the indexes as they were before. */
const renewStatement = {
  name: "supplement_indexes_renew",
  text: `WITH old AS (
      UPDATE supplement_indexes SET state = 'gone' WHERE account = $1 AND supplement = $2 AND state <> 'gone'
      RETURNING slot, field, type, timezone
    )
    INSERT INTO supplement_indexes (account, supplement, slot, field, type, timezone, state)
    SELECT $1, $2, (SELECT max(slot) FROM supplement_indexes WHERE account = $1 AND supplement = $2) + row_number() OVER (ORDER BY slot),
      field, type, timezone, 'ready' FROM old`,
};

/** Empties tables and their indexes at once, while nobody writes records of the account; rows stay. */
export async function clearSupplements(
  transaction: Transaction,
  clears: readonly StoredSupplementClear[],
): Promise<void> {
  for (const { account, supplement, version } of clears) {
    await Promise.all([
      transaction.execute(clearStatement, [account, supplement, version]),
      transaction.execute(keepClearStatement, [account, supplement, version]),
      transaction.execute(renewStatement, [account, supplement]),
    ]);
  }
}

/** Rows are locked in order of id, which is that of the batches that write them. */
const removeStatement = {
  name: "supplement_records_remove",
  text: `WITH page AS (
      SELECT id FROM supplement_records WHERE account = $1 AND supplement = $2 AND id > $4
      ORDER BY account, supplement, id LIMIT $5 FOR UPDATE
    ), gone AS (
      DELETE FROM supplement_records r USING page
      WHERE r.account = $1 AND r.supplement = $2 AND r.id = page.id AND r.version <= $3
    )
    SELECT max(id) AS last, count(*) AS looked FROM page`,
};
/** Rows that one search for cleared ones goes through. */
const REMOVED_PAGE_ROWS = 2_000;

export interface RemovedPage {
  readonly looked: number;
  /** The last id that was checked; null at the end. */
  readonly last: string | null;
}

/**
 * Removes the rows of records that a clear took out of a table, of the next rows of it in order of id. A record that was written
 * since stays. Nobody misses the others: a record below the clear that comes late does not count either.
 */
export async function removeClearedRecords(
  transaction: Transaction,
  { account, supplement, version }: StoredSupplementClear,
  after: string,
): Promise<RemovedPage> {
  const values = [account, supplement, version, after, REMOVED_PAGE_ROWS];
  const [, [row]] = await Promise.all([
    readInKeyOrder(transaction),
    transaction.query<{ looked: number; last: string | null }>(removeStatement, values),
  ]);
  const { looked: checked, last } = row ?? { looked: 0, last: null };
  return { looked: checked, last: checked < REMOVED_PAGE_ROWS ? null : last };
}

const rowsStatement = {
  name: "supplement_records_rows",
  text: "SELECT count(*) AS count FROM supplement_records WHERE account = $1 AND supplement = $2",
};

/** Rows of a table, those too that are gone and not removed yet. */
export async function countSupplementRows(
  session: Session,
  { account, supplement }: Pick<StoredSupplementClear, "account" | "supplement">,
): Promise<number> {
  const [row] = await session.query<{ count: number }>(rowsStatement, [account, supplement]);
  return row?.count ?? 0;
}

const latestStatement = {
  name: "supplement_clears_latest",
  text: `SELECT DISTINCT ON (supplement) supplement, version FROM supplement_clears WHERE account = $1 AND version < $2
    ORDER BY supplement, version DESC`,
};

/** Reads, for each table of the account that was cleared below the version, the last clear among those. */
export function readSupplementClearsBelow(
  session: Session,
  account: number,
  version: string,
): Promise<{ readonly supplement: number; readonly version: string }[]> {
  return session.query(latestStatement, [account, version]);
}

/** Time at which a record of a table was written, in milliseconds since 1970. */
export interface SupplementUpdate {
  readonly account: number;
  readonly supplement: number;
  readonly at: number;
}

/** Precision of the time of a table's last write: it is written no more often, and nobody waits for it. */
const UPDATE_EVERY_MS = 1_000;
const updateStatement = {
  name: "supplement_updates_set",
  text: `WITH due AS (
      SELECT u.account, u.supplement, r.at FROM unnest($1::int[], $2::int[], $3::bigint[]) AS r (account, supplement, at)
      JOIN supplement_updates u USING (account, supplement) WHERE u.at < r.at - $4 FOR NO KEY UPDATE OF u SKIP LOCKED
    )
    UPDATE supplement_updates u SET at = due.at FROM due WHERE u.account = due.account AND u.supplement = due.supplement`,
};

/** @param updates each table once. */
export async function noteSupplementUpdates(
  transaction: Transaction,
  updates: readonly SupplementUpdate[],
): Promise<void> {
  if (updates.length === 0) return;
  await transaction.execute(updateStatement, [
    plainArray(updates, (update) => update.account),
    plainArray(updates, (update) => update.supplement),
    plainArray(updates, (update) => update.at),
    UPDATE_EVERY_MS,
  ]);
}

const clearsAfterStatement = {
  name: "supplement_clears_after",
  text: "SELECT supplement, version FROM supplement_clears WHERE account = $1 AND version >= $2 ORDER BY supplement, version",
};

/** Reads all clears of the account's tables at or above the version. */
export function readSupplementClearsAfter(
  session: Session,
  account: number,
  version: string,
): Promise<{ readonly supplement: number; readonly version: string }[]> {
  return session.query(clearsAfterStatement, [account, version]);
}
