import { plainArray, textArray } from "./arrays.ts";
import type { Postgres } from "./postgres.ts";
import type { Session, Transaction } from "./session.ts";

export interface StoredList {
  readonly account: number;
  /** Counts from 1 in each account. */
  readonly id: number;
  readonly name: string;
  readonly displayName: string;
  readonly enhanced: boolean;
  /** Memberships with a lower version are gone. */
  readonly clearedVersion: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface ListName {
  readonly account: number;
  readonly name: string;
}

const COLUMNS = `account, id, name, display_name AS "displayName", enhanced, cleared_version AS "clearedVersion", created_at AS "createdAt"`;
const byNameStatement = {
  name: "lists_by_name",
  text: `SELECT ${COLUMNS} FROM unnest($1::int[], $2::text[]) AS k (account, name_key) JOIN lists USING (account, name_key)`,
};
const byIdStatement = {
  name: "lists_by_id",
  text: `SELECT ${COLUMNS} FROM unnest($1::int[], $2::int[]) AS k (account, id) JOIN lists USING (account, id)`,
};
const insertStatement = {
  name: "lists_insert",
  text: `INSERT INTO lists (account, id, name, name_key, display_name, created_at)
    SELECT $1, (SELECT COALESCE(max(id), 0) FROM lists WHERE account = $1) + row_number() OVER (ORDER BY name_key), name, name_key, name, $4
    FROM unnest($2::text[], $3::text[]) AS r (name, name_key)
    WHERE NOT EXISTS (SELECT FROM lists l WHERE l.account = $1 AND l.name_key = r.name_key)`,
};
/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_402;
const lockStatement = { name: "lists_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };

/** Held to the end of the transaction: no list of the account is made and no attribute declared meanwhile. */
export async function lockNames(transaction: Transaction, account: number): Promise<void> {
  await transaction.query(lockStatement, [LOCK_CLASS, account]);
}

/** Case does not count. */
export async function loadListsByName(session: Session, names: readonly ListName[]): Promise<StoredList[]> {
  if (names.length === 0) return [];
  return session.query(byNameStatement, [
    plainArray(names, (key) => key.account),
    textArray(names, (key) => nameKey(key.name)),
  ]);
}

export async function loadListsById(
  session: Session,
  keys: readonly { readonly account: number; readonly id: number }[],
): Promise<StoredList[]> {
  if (keys.length === 0) return [];
  return session.query(byIdStatement, [plainArray(keys, (key) => key.account), plainArray(keys, (key) => key.id)]);
}

/**
 * The lists of these names; missing ones are made. In short transactions of its own, one per account, so that batches that bring up
 * one name do not wait for each other's end.
 */
export async function ensureLists(
  postgres: Postgres,
  names: readonly ListName[],
  createdAt: number,
): Promise<StoredList[]> {
  const found = await loadListsByName(postgres, names);
  const known = new Set(found.map((list) => `${list.account}\n${nameKey(list.name)}`));
  const missing = names.filter(({ account, name }) => !known.has(`${account}\n${nameKey(name)}`));
  if (missing.length === 0) return found;
  for (const [account, named] of Map.groupBy(missing, (key) => key.account)) {
    await postgres.transaction((transaction) =>
      insertLists(transaction, { account, names: named.map(({ name }) => name), createdAt }),
    );
  }
  return loadListsByName(postgres, names);
}

interface NewLists {
  readonly account: number;
  readonly names: readonly string[];
  readonly createdAt: number;
}

/** The lock makes "the greatest id so far" hold until commit. */
async function insertLists(transaction: Transaction, { account, names, createdAt }: NewLists): Promise<void> {
  const unique = [...new Map(names.map((name) => [nameKey(name), name])).values()];
  const texts = [textArray(unique, (name) => name), textArray(unique, nameKey)];
  await Promise.all([
    lockNames(transaction, account),
    transaction.execute(insertStatement, [account, ...texts, createdAt]),
  ]);
}

const pageStatement = {
  name: "lists_page",
  text: `SELECT ${COLUMNS} FROM lists WHERE account = $1 AND id > $2 ORDER BY id LIMIT $3 OFFSET $4`,
};
const countStatement = { name: "lists_count", text: "SELECT count(*) AS count FROM lists WHERE account = $1" };
const membersStatement = {
  name: "lists_count_members",
  text: `SELECT count(*) AS count FROM memberships m JOIN lists l ON l.account = m.account AND l.id = m.list
    WHERE m.account = $1 AND m.list = $2 AND m.present AND (l.cleared_version IS NULL OR m.version > l.cleared_version)`,
};
const ofContactStatement = {
  name: "lists_of_contact",
  text: `SELECT l.id, l.name, m.joined_at AS "joinedAt" FROM memberships m JOIN lists l ON l.account = m.account AND l.id = m.list
    WHERE m.account = $1 AND m.contact = $2 AND m.present AND (l.cleared_version IS NULL OR m.version > l.cleared_version) ORDER BY l.id`,
};

export interface ListsPage {
  readonly account: number;
  /** Id of the last one of the page before. */
  readonly after?: number;
  readonly skip?: number;
  readonly rowsMax: number;
}

/** In order of id. */
export function pageLists(session: Session, page: ListsPage): Promise<StoredList[]> {
  return session.query(pageStatement, [page.account, page.after ?? 0, page.rowsMax, page.skip ?? 0]);
}

export function countLists(session: Session, account: number): Promise<number> {
  return one(session, countStatement, [account]);
}

/** Contacts that are on the list now. */
export function countMembers(session: Session, account: number, list: number): Promise<number> {
  return one(session, membersStatement, [account, list]);
}

/** The lists a contact is on now. */
export function listsOfContact(
  session: Session,
  account: number,
  contact: number,
): Promise<{ readonly id: number; readonly name: string; readonly joinedAt: number }[]> {
  return session.query(ofContactStatement, [account, contact]);
}

async function one(session: Session, statement: typeof countStatement, values: readonly number[]): Promise<number> {
  const [row] = await session.query<{ count: number }>(statement, values);
  return row?.count ?? 0;
}

function nameKey(name: string): string {
  return name.toLowerCase();
}
