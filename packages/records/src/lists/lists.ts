import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import {
  createResourceTable,
  type ResourceTable,
  type RowFilters,
  type RowOf,
} from "@headwater/postgres/connection/resourceTable";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { readListId } from "./list.ts";

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

/** Columns as `StoredList` names them. */
export const LIST_COLUMNS = `account, id, name, display_name AS "displayName", enhanced, cleared_version AS "clearedVersion", created_at AS "createdAt"`;
const byNameStatement = {
  name: "lists_by_name",
  text: `SELECT ${LIST_COLUMNS} FROM unnest($1::int[], $2::text[]) AS k (account, name_key) JOIN lists USING (account, name_key)`,
};
const byIdStatement = {
  name: "lists_by_id",
  text: `SELECT ${LIST_COLUMNS} FROM unnest($1::int[], $2::int[]) AS k (account, id) JOIN lists USING (account, id)
    WHERE deleted_at IS NULL`,
};
const insertStatement = {
  name: "lists_insert",
  text: `INSERT INTO lists (account, id, name, name_key, display_name, created_at)
    SELECT $1, (SELECT COALESCE(max(id), 0) FROM lists WHERE account = $1) + row_number() OVER (ORDER BY name_key), name, name_key, name, $4
    FROM unnest($2::text[], $3::text[]) AS r (name, name_key)
    WHERE NOT EXISTS (SELECT FROM lists l WHERE l.account = $1 AND l.name_key = r.name_key)
    LIMIT greatest(0, $5::int - (SELECT count(*) FROM lists WHERE account = $1 AND deleted_at IS NULL)) RETURNING id`,
};
const deleteUnknownStatement = {
  name: "lists_unmake",
  text: "DELETE FROM lists WHERE account = $1 AND id = ANY ($2::int[])",
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
    textArray(names, (key) => listNameKey(key.name)),
  ]);
}

export async function loadListsById(
  session: Session,
  keys: readonly { readonly account: number; readonly id: number }[],
): Promise<StoredList[]> {
  if (keys.length === 0) return [];
  return session.query(byIdStatement, [plainArray(keys, (key) => key.account), plainArray(keys, (key) => key.id)]);
}

const greatestIdStatement = {
  name: "lists_greatest_id",
  text: `SELECT k.account, COALESCE((SELECT max(id) FROM lists l WHERE l.account = k.account), 0) AS id
    FROM unnest($1::int[]) AS k (account)`,
};

/** Returns the greatest id that a list of each account has: an account has no more lists. */
export async function loadGreatestListIds(
  session: Session,
  accounts: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (accounts.length === 0) return new Map();
  const keys = [plainArray(accounts, (account) => account)];
  const rows = await session.query<{ account: number; id: number }>(greatestIdStatement, keys);
  return new Map(rows.map(({ account, id }) => [account, id]));
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
  const known = new Set(found.map((list) => `${list.account}\n${listNameKey(list.name)}`));
  const missing = names.filter(({ account, name }) => !known.has(`${account}\n${listNameKey(name)}`));
  if (missing.length === 0) return found;
  for (const [account, named] of Map.groupBy(missing, (key) => key.account)) {
    await postgres.transaction((transaction) =>
      insertLists(transaction, { account, names: named.map(({ name }) => name), createdAt }),
    );
  }
  return loadListsByName(postgres, names);
}

/**
 * The same in the caller's transaction: what is refused later makes no list. Nobody else makes a list of the account meanwhile, so
 * it comes before all other locks.
 * @returns ids of those that were made: of an account that has as many as it may have, none.
 */
export async function createMissingLists(transaction: Transaction, lists: NewLists): Promise<readonly number[]> {
  const { account, names } = lists;
  const found = await loadListsByName(
    transaction,
    names.map((name) => ({ account, name })),
  );
  const known = new Set(found.map(({ name }) => listNameKey(name)));
  const missing = names.filter((name) => !known.has(listNameKey(name)));
  return missing.length > 0 ? insertLists(transaction, { ...lists, names: missing }) : [];
}

/** Lists that the same transaction made and nobody has come onto. */
export async function unmakeLists(transaction: Transaction, account: number, ids: readonly number[]): Promise<void> {
  await transaction.execute(deleteUnknownStatement, [account, plainArray(ids, (id) => id)]);
}

export interface NewLists {
  readonly account: number;
  readonly names: readonly string[];
  readonly createdAt: number;
  /** Limit of the account's lists: beyond it none is created. Default: any number. */
  readonly listsMax?: number;
}

const ANY_LISTS = 2_147_483_647;

/** The lock makes "the greatest id so far" hold until commit. */
async function insertLists(transaction: Transaction, lists: NewLists): Promise<number[]> {
  const { account, names, createdAt, listsMax = ANY_LISTS } = lists;
  const unique = [...new Map(names.map((name) => [listNameKey(name), name])).values()];
  const texts = [textArray(unique, (name) => name), textArray(unique, listNameKey)];
  const [, created] = await Promise.all([
    lockNames(transaction, account),
    transaction.query<{ id: number }>(insertStatement, [account, ...texts, createdAt, listsMax]),
  ]);
  return created.map(({ id }) => id);
}

/** Statements of lists that exist, but for their writes. */
export const listTable = createResourceTable({
  name: "lists",
  key: "id",
  members: { name: "text", enhanced: "boolean" },
  derived: { id: "integer", nameKey: "text" },
  // A list has no time of its last update.
  columns: { updatedAt: "created_at" },
  where: "deleted_at IS NULL",
});

/** A list that exists. */
export type ListRow = RowOf<typeof listTable>;

const insertOneStatement = {
  name: "lists_insert_one",
  text: `INSERT INTO lists (account, id, name, name_key, display_name, enhanced, created_at)
    SELECT $1, (SELECT COALESCE(max(id), 0) + 1 FROM lists WHERE account = $1), $2, $3, $2, $4, $5
    RETURNING account, id, name, name_key AS "nameKey", enhanced, created_at AS "createdAt", created_at AS "updatedAt"`,
};
const updateStatement = {
  name: "lists_update",
  text: "UPDATE lists SET name = $3, name_key = $4, display_name = $3, enhanced = $5 WHERE account = $1 AND id = $2",
};
/** No name has a colon. */
const deleteStatement = {
  name: "lists_delete",
  text: `UPDATE lists SET deleted_at = $3, former_key = name_key, name_key = 'deleted:' || id WHERE account = $1 AND id = $2 AND deleted_at IS NULL`,
};
const unbindStatement = {
  name: "lists_unbind",
  text: "DELETE FROM intake.partner_lists WHERE account = $1 AND list = $2",
};

/** Lists that exist, in order of id or of name without case. */
export const lists: ResourceTable<ListRow, Pick<ListRow, "name" | "enhanced">> = {
  ...listTable,
  /** Inserts a list under `lockNames`. Throws what `postgresFailure` calls `unique` when the name is taken. */
  async insert(transaction, { account }, { name, enhanced }, nowMs) {
    const values = [account, name, listNameKey(name), enhanced, nowMs];
    const [row] = await transaction.query<ListRow>(insertOneStatement, values);
    return row;
  },
  read: async (session, list) => (readListId(list.key) === undefined ? undefined : listTable.read(session, list)),
  /** Holds the account's names to the end of the transaction. */
  async lock(transaction, list) {
    await lockNames(transaction, list.account);
    return lists.read(transaction, list);
  },
  async update(transaction, { account, key }, { name, enhanced }) {
    await transaction.execute(updateStatement, [account, key, name, listNameKey(name), enhanced]);
  },
  /** Frees its name; a partner's list that it stood for is created again with the next push. */
  async delete(transaction, { account, key }, nowMs) {
    await Promise.all([
      transaction.execute(deleteStatement, [account, key, nowMs]),
      transaction.execute(unbindStatement, [account, key]),
    ]);
  },
  page: (session, page) => listTable.page(session, { ...page, equal: withoutCase(page.equal) }),
  count: (session, filters) => listTable.count(session, { ...filters, equal: withoutCase(filters.equal) }),
};

function withoutCase({ name }: RowFilters["equal"]): RowFilters["equal"] {
  return typeof name === "string" ? { nameKey: listNameKey(name) } : {};
}

const firstStatement = {
  name: "lists_first",
  text: `SELECT ${LIST_COLUMNS} FROM lists WHERE account = $1 AND deleted_at IS NULL ORDER BY id LIMIT $2`,
};
const membersOfStatement = {
  name: "lists_count_members_of",
  text: `SELECT m.list, count(*) AS count FROM memberships m JOIN lists l ON l.account = m.account AND l.id = m.list
    WHERE m.account = $1 AND m.list = ANY ($2::int[]) AND m.present AND (l.cleared_version IS NULL OR m.version > l.cleared_version)
    GROUP BY m.list`,
};

/** Returns the first lists of an account in order of id. */
export function readFirstLists(
  session: Session,
  { account, rowsMax }: { readonly account: number; readonly rowsMax: number },
): Promise<StoredList[]> {
  return session.query(firstStatement, [account, rowsMax]);
}

/** Counts the contacts that are on the list now. */
export async function countMembers(session: Session, account: number, list: number): Promise<number> {
  return (await countMembersOf(session, account, [list])).get(list) ?? 0;
}

/** Contacts that are on each of the lists now. */
export async function countMembersOf(
  session: Session,
  account: number,
  lists: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await session.query<{ list: number; count: number }>(membersOfStatement, [
    account,
    `{${lists.join(",")}}`,
  ]);
  const counts = new Map(rows.map(({ list, count }) => [list, count]));
  return new Map(lists.map((list) => [list, counts.get(list) ?? 0]));
}

const ofContactsStatement = {
  name: "lists_of_contacts",
  text: `SELECT m.contact, l.id, l.name, l.enhanced, m.joined_at AS "joinedAt" FROM memberships m
    JOIN lists l ON l.account = m.account AND l.id = m.list
    WHERE m.account = $1 AND m.contact = ANY ($2::bigint[]) AND m.present AND l.deleted_at IS NULL
      AND (l.cleared_version IS NULL OR m.version > l.cleared_version)
    ORDER BY m.contact, l.id`,
};
/**
 * Counts memberships before it reads their lists: `id` is null in those of lists that are deleted, or were cleared since. Each list is
 * looked up by its key: joined as a set, a thousand lists of an account that the planner takes for one cost seconds.
 */
const pageOfContactsText = (
  direction: "ASC" | "DESC",
) => `SELECT m.contact, l.id, l.name, l.enhanced, m.joined_at AS "joinedAt"
    FROM (SELECT * FROM memberships WHERE account = $1 AND contact = ANY ($2::bigint[]) AND present
      ORDER BY contact ${direction}, list LIMIT $3) m
    LEFT JOIN LATERAL (SELECT id, name, enhanced FROM lists WHERE account = $1 AND id = m.list AND deleted_at IS NULL
      AND (cleared_version IS NULL OR m.version > cleared_version) LIMIT 1) l ON true
    ORDER BY m.contact ${direction}, m.list`;
const pageOfContactsStatement = { name: "lists_of_contacts_page", text: pageOfContactsText("ASC") };
const pageOfContactsBackStatement = { name: "lists_of_contacts_page_back", text: pageOfContactsText("DESC") };

export interface ListOfContact {
  readonly contact: number;
  readonly id: number;
  readonly name: string;
  readonly enhanced: boolean;
  /** Milliseconds since 1970. */
  readonly joinedAt: number;
}

/** The lists that contacts are on now, in order of contact and id. */
export async function listsOfContacts(
  session: Session,
  account: number,
  contacts: readonly number[],
): Promise<ListOfContact[]> {
  if (contacts.length === 0) return [];
  return session.query(ofContactsStatement, [account, `{${contacts.join(",")}}`]);
}

export interface ListsOfPage {
  readonly lists: readonly ListOfContact[];
  /** The first contact whose lists are not all among them; undefined when all are. */
  readonly cutAt: number | undefined;
}

/** Returns the lists of a page's contacts, in its direction: of at most so many memberships in all, and all those of the first contact. */
export async function pageListsOfContacts(
  session: Session,
  account: number,
  contacts: readonly number[],
  { direction, membershipsMax }: { readonly direction: "asc" | "desc"; readonly membershipsMax: number },
): Promise<ListsOfPage> {
  if (contacts.length === 0) return { lists: [], cutAt: undefined };
  const statement = direction === "asc" ? pageOfContactsStatement : pageOfContactsBackStatement;
  const values = [account, `{${contacts.join(",")}}`, membershipsMax + 1];
  const rows = await session.query<Omit<ListOfContact, "id"> & { readonly id: number | null }>(statement, values);
  const cutAt = rows.length > membershipsMax ? rows.at(-1)?.contact : undefined;
  if (cutAt !== undefined && cutAt === contacts[0]) {
    return { lists: await listsOfContacts(session, account, [cutAt]), cutAt: contacts[1] };
  }
  const lists = rows.flatMap(({ id, ...row }) => (id === null || row.contact === cutAt ? [] : [{ ...row, id }]));
  return { lists, cutAt };
}

/** The form in which two names of lists are equal. */
export function listNameKey(name: string): string {
  return name.toLowerCase();
}
