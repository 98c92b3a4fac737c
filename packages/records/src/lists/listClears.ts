import { type AccountLock, lockAccounts } from "@headwater/accounts/accounts/accountLocks";
import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { StoredMembership } from "./memberships.ts";

/** A list was emptied: memberships at or below the version are gone. */
export interface ListClear {
  readonly account: number;
  readonly list: number;
  readonly version: string;
  /** Its members start no automation by it. */
  readonly isSuppressed?: boolean;
}

/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_403;
const setStatement = {
  name: "list_clears_set",
  text: `UPDATE lists l SET cleared_version = GREATEST(l.cleared_version, r.version)
    FROM unnest($1::int[], $2::int[], $3::uuid[]) AS r (account, list, version) WHERE l.account = r.account AND l.id = r.list`,
};
const insertStatement = {
  name: "list_clears_insert",
  text: `INSERT INTO list_clears (account, list, version, suppress_triggers)
    SELECT account, list, version, is_suppressed
      FROM unnest($1::int[], $2::int[], $3::uuid[], $4::boolean[]) AS r (account, list, version, is_suppressed)
    ON CONFLICT DO NOTHING`,
};
/** Members that a clear took and that have yet to start runs by it. */
const CLEARED = `JOIN cleared_lists c ON (c.account, c.list) = (m.account, m.list) AND m.version <= c.version
      AND (c.former_version IS NULL OR m.version > c.former_version) AND m.contact > c.cursor`;
const overwrittenStatement = {
  name: "list_clears_overwritten",
  text: `INSERT INTO cleared_members (account, list, version, contact)
    SELECT m.account, m.list, c.version, m.contact
      FROM unnest($1::int[], $2::int[], $3::bigint[], $4::uuid[]) AS m (account, list, contact, version) ${CLEARED}
    ON CONFLICT DO NOTHING`,
};
/** A page of the list by its key, of which the rows asked for and the last one are answered: so no page reads more than it may. */
const storedStatement = {
  name: "list_clears_kept",
  text: `SELECT account, list, contact, present, joined_at AS "joinedAt", version, "isKept" FROM (
      SELECT *, present AND version > $3 AND joined_at <= $4 AS "isKept", lead(contact) OVER (ORDER BY contact) IS NULL AS "isLast"
      FROM (SELECT * FROM memberships WHERE account = $1 AND list = $2 AND contact > $5 ORDER BY contact LIMIT $6) AS page
    ) AS rows WHERE "isKept" OR "isLast" ORDER BY contact`,
};
/** A split emits under its own version what a contact got back: of those that stood on the list before the clear, the last split. */
const returnedStatement = {
  name: "list_clears_given_back",
  text: `SELECT m.account, m.list, m.contact, false AS present, m.joined_at AS "joinedAt", s.version FROM (
      SELECT survivor, max(undone_version::text)::uuid AS version FROM merges
      WHERE account = $1 AND undone_version > $3 GROUP BY survivor
    ) AS s JOIN memberships m ON m.account = $1 AND m.list = $2 AND m.contact = s.survivor
    WHERE m.present AND m.version <= $3 ORDER BY m.contact`,
};
/** A page of the list by its key; rows are locked in that order, which is that of the batches that write them. */
const deleteStatement = {
  name: "list_clears_delete",
  text: `WITH page AS (
      SELECT contact FROM memberships WHERE account = $1 AND list = $2 AND contact > $4 ORDER BY contact LIMIT $5 FOR UPDATE),
    gone AS (
      DELETE FROM memberships m USING page WHERE m.account = $1 AND m.list = $2 AND m.contact = page.contact AND m.version <= $3
      RETURNING m.account, m.list, m.contact, m.present, m.version),
    noted AS (
      INSERT INTO cleared_members (account, list, version, contact)
        SELECT m.account, m.list, c.version, m.contact FROM gone m ${CLEARED} WHERE m.present
      ON CONFLICT DO NOTHING)
    SELECT (SELECT max(contact) FROM page) AS last, (SELECT count(*) FROM gone) AS deleted`,
};
const latestStatement = {
  name: "list_clears_latest",
  text: `SELECT DISTINCT ON (list) list, version FROM list_clears
    WHERE account = $1 AND version < $2 AND list = ANY ($3::int[]) ORDER BY list, version DESC`,
};

const afterStatement = {
  name: "list_clears_after",
  text: `SELECT list, version FROM list_clears
    WHERE account = $1 AND version >= $2 AND list = ANY ($3::int[]) ORDER BY list, version`,
};

/**
 * Waits until nobody clears a list of these accounts, and lets nobody do so before the transaction ends. With `alone` nobody writes a
 * membership of the account meanwhile. To be taken before memberships, their lists and outbox positions are read. Always in the
 * same order, so that no two transactions wait for each other's; whoever waits for it is not passed by.
 */
export async function lockMemberships(transaction: Transaction, accounts: Iterable<AccountLock>): Promise<void> {
  await lockAccounts(transaction, LOCK_CLASS, accounts);
}

/**
 * Empties lists; rows of memberships stay. The greatest version stands, whoever comes first.
 * @param clears of one list in order of version.
 */
export async function clearLists(transaction: Transaction, clears: readonly ListClear[]): Promise<void> {
  if (clears.length === 0) return;
  const latest = [...new Map(clears.map((clear) => [`${clear.account} ${clear.list}`, clear])).values()];
  await Promise.all([
    transaction.execute(setStatement, arrays(latest)),
    transaction.execute(insertStatement, [
      ...arrays(clears),
      plainArray(clears, ({ isSuppressed = false }) => isSuppressed),
    ]),
  ]);
}

/** Notes members that a clear took before their rows were written again, so that they start what their leaving starts. */
export async function noteOverwritten(transaction: Transaction, before: readonly StoredMembership[]): Promise<void> {
  if (before.length === 0) return;
  await transaction.execute(overwrittenStatement, [
    plainArray(before, ({ account }) => account),
    plainArray(before, ({ list }) => list),
    plainArray(before, ({ contact }) => contact),
    plainArray(before, ({ version }) => version),
  ]);
}

function arrays(clears: readonly ListClear[]): string[] {
  return [
    plainArray(clears, (clear) => clear.account),
    plainArray(clears, (clear) => clear.list),
    plainArray(clears, (clear) => clear.version),
  ];
}

/** Rows of a list that one look goes through. */
export const STORED_PAGE_ROWS = 20_000;

export interface StoredPage {
  readonly kept: readonly StoredMembership[];
  /** The last contact that was checked; undefined when there is none after `after`. */
  readonly last: number | undefined;
}

/**
 * Reads, of the next rows of the list in order of contact, the contacts that came onto it before the clear and were put on it again since.
 * @param joinedUpTo milliseconds since 1970, of the clear.
 */
export async function readStored(
  transaction: Transaction,
  { account, list, version }: ListClear,
  { joinedUpTo, after }: { readonly joinedUpTo: number; readonly after: number },
): Promise<StoredPage> {
  const values = [account, list, version, joinedUpTo, after, STORED_PAGE_ROWS];
  const rows = await transaction.query<StoredMembership & { readonly isKept: boolean }>(storedStatement, values);
  const stored = rows.filter(({ isKept: isStored }) => isStored).map(({ isKept: _, ...row }) => row);
  return { kept: stored, last: rows[rows.length - 1]?.contact };
}

/**
 * Memberships that a clear takes, and that a later split had emitted as given back: the truth is that they are gone. With the version
 * of that split, so that they stand in its place.
 */
export function readReturned(
  transaction: Transaction,
  { account, list, version }: ListClear,
): Promise<StoredMembership[]> {
  return transaction.query(returnedStatement, [account, list, version]);
}

/** Rows of a list that one search for cleared ones goes through. */
const DELETED_PAGE_ROWS = 5_000;

/**
 * Removes the rows of members that a clear took off the list, of the next rows of it in order of contact. Nobody misses them: a
 * record below the clear that comes late makes a row that does not count either.
 * @returns the last contact that was checked (null at the end), and how many rows were removed.
 */
export async function deleteCleared(
  transaction: Transaction,
  { account, list, version }: ListClear,
  after: number,
): Promise<{ readonly last: number | null; readonly deleted: number }> {
  const values = [account, list, version, after, DELETED_PAGE_ROWS];
  const [row] = await transaction.query<{ last: number | null; deleted: number }>(deleteStatement, values);
  return row ?? { last: null, deleted: 0 };
}

/** Reads, of each of the lists that was cleared below the version, the last clear below it. */
export async function readClearsBelow(
  session: Session,
  lists: { readonly account: number; readonly ids: readonly number[] },
  version: string,
): Promise<{ readonly list: number; readonly version: string }[]> {
  if (lists.ids.length === 0) return [];
  return session.query(latestStatement, [lists.account, version, plainArray(lists.ids, (id) => id)]);
}

/** Reads all clears of the lists at or above the version. */
export async function readClearsAfter(
  session: Session,
  lists: { readonly account: number; readonly ids: readonly number[] },
  version: string,
): Promise<{ readonly list: number; readonly version: string }[]> {
  if (lists.ids.length === 0) return [];
  return session.query(afterStatement, [lists.account, version, plainArray(lists.ids, (id) => id)]);
}
