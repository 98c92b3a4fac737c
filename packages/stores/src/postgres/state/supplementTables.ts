import { plainArray } from "../arrays.ts";
import { readInKeyOrder } from "../keyOrder.ts";
import type { Session, Transaction } from "../session.ts";
import { type AccountLock, lockAccounts } from "./accountLocks.ts";

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

/** Rows are locked in order of id, which is that of the batches that write them. Each is gone since the first clear after its write. */
const removeStatement = {
  name: "supplement_records_remove",
  text: `WITH page AS (
      SELECT id FROM supplement_records WHERE account = $1 AND supplement = $2 AND id > $4
      ORDER BY account, supplement, id LIMIT $5 FOR UPDATE
    ), gone AS (
      DELETE FROM supplement_records r USING page
      WHERE r.account = $1 AND r.supplement = $2 AND r.id = page.id AND r.version <= $3
      RETURNING r.id, r.created_at, r.version, r.deleted_version
    )
    SELECT page.id, gone.created_at AS "createdAt", gone.version > COALESCE(gone.deleted_version, '00000000-0000-0000-0000-000000000000') AS "wasThere",
      (SELECT c.version FROM supplement_clears c WHERE c.account = $1 AND c.supplement = $2 AND c.version >= gone.version
        ORDER BY c.version LIMIT 1) AS "clearedVersion"
    FROM page LEFT JOIN gone ON gone.id = page.id ORDER BY page.id`,
};

/** A record that a clear took out of its table. */
export interface ClearedRecord {
  readonly id: string;
  readonly createdAt: number;
  readonly clearedVersion: string;
}

export interface RemovedPage {
  /** Those that were there until the clear; others were deleted before. */
  readonly removed: readonly ClearedRecord[];
  readonly looked: number;
  /** The last id that was looked at; undefined at the end. */
  readonly last: string | undefined;
}

interface RemovedRow {
  readonly id: string;
  readonly createdAt: number | null;
  readonly wasThere: boolean | null;
  readonly clearedVersion: string | null;
}

/** Of the next rows of a table, in order of id: removes those that a clear took out of it. */
export async function removeClearedRecords(
  transaction: Transaction,
  { account, supplement, version }: StoredSupplementClear,
  { after, rowsMax }: { readonly after: string; readonly rowsMax: number },
): Promise<RemovedPage> {
  const values = [account, supplement, version, after, rowsMax];
  const [, rows] = await Promise.all([
    readInKeyOrder(transaction),
    transaction.query<RemovedRow>(removeStatement, values),
  ]);
  const removed = rows.flatMap(({ id, createdAt, wasThere, clearedVersion }) =>
    wasThere === true ? [{ id, createdAt: createdAt ?? 0, clearedVersion: clearedVersion ?? version }] : [],
  );
  return { removed, looked: rows.length, last: rows.length < rowsMax ? undefined : rows.at(-1)?.id };
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

/** Of each table of the account that was cleared below the version, the last clear of them. */
export function readSupplementClearsBelow(
  session: Session,
  account: number,
  version: string,
): Promise<{ readonly supplement: number; readonly version: string }[]> {
  return session.query(latestStatement, [account, version]);
}

/** When a record of a table was written: milliseconds since 1970. */
export interface SupplementUpdate {
  readonly account: number;
  readonly supplement: number;
  readonly at: number;
}

/** How exact the time of a table's last write is: it is written no more often, and nobody waits for it. */
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
