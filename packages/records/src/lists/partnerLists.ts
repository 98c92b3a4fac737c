import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** A partner's list, by the partner's own id of it. */
export interface PartnerListKey {
  readonly account: number;
  readonly partner: string;
  readonly externalId: string;
}

export interface PartnerListRow {
  /** Id of our list. */
  readonly list: number;
  /** Kept, but no longer fed. */
  readonly isArchived: boolean;
}

export interface NewPartnerList extends PartnerListKey {
  /** Name in the partner's words. */
  readonly displayName: string;
  /** Tried in this order: a name is taken when its list stands for another id of a partner. */
  readonly names: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Lists the account may have, whoever makes them. */
  readonly listsMax: number;
}

/** A binding whose list was deleted is none. */
const findStatement = {
  name: "partner_lists_find",
  text: `SELECT p.list, p.archived_at IS NOT NULL AS "isArchived" FROM intake.partner_lists p
    JOIN lists l ON l.account = p.account AND l.id = p.list
    WHERE p.account = $1 AND p.partner = $2 AND p.external_id = $3`,
};
/** The class of locks of `lists.ts`: who makes lists of an account waits for each other. */
const lockStatement = { name: "lists_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };
const LOCK_CLASS = 7_238_402;
const byNameStatement = {
  name: "partner_lists_by_name",
  text: `SELECT l.id, EXISTS (SELECT FROM intake.partner_lists p WHERE p.account = l.account AND p.list = l.id) AS "isBound"
    FROM lists l WHERE l.account = $1 AND l.name_key = $2`,
};
const insertListStatement = {
  name: "partner_lists_insert_list",
  text: `INSERT INTO lists (account, id, name, name_key, display_name, created_at)
    SELECT $1, (SELECT COALESCE(max(id), 0) + 1 FROM lists WHERE account = $1), $2, $3, $4, $5
    WHERE (SELECT count(*) FROM lists WHERE account = $1 AND deleted_at IS NULL) < $6::int RETURNING id`,
};
const bindStatement = {
  name: "partner_lists_bind",
  text: `INSERT INTO intake.partner_lists (account, partner, external_id, list) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account, partner, external_id) DO UPDATE SET list = EXCLUDED.list, archived_at = NULL`,
};
const archiveStatement = {
  name: "partner_lists_archive",
  text: `UPDATE intake.partner_lists SET archived_at = CASE WHEN $4 THEN COALESCE(archived_at, now()) END
    WHERE account = $1 AND partner = $2 AND external_id = $3`,
};
const renameStatement = {
  name: "partner_lists_rename",
  text: `UPDATE lists l SET name = $4, name_key = $5, display_name = $6 FROM intake.partner_lists p
    WHERE p.account = $1 AND p.partner = $2 AND p.external_id = $3 AND l.account = p.account AND l.id = p.list
      AND NOT EXISTS (SELECT FROM lists o WHERE o.account = $1 AND o.name_key = $5 AND o.id <> l.id)`,
};

export async function findPartnerList(session: Session, key: PartnerListKey): Promise<PartnerListRow | undefined> {
  const [row] = await session.query<PartnerListRow>(findStatement, keyValues(key));
  return row;
}

/**
 * The list of a partner's id: the one it is bound to, else the one that has its name and stands for no other, else a new
 * one. Only who makes one waits for the others that do, in a short transaction of its own, so that no batch waits for it.
 * @returns undefined when the account has as many lists as it may have.
 */
export async function ensurePartnerList(
  postgres: Postgres,
  wanted: NewPartnerList,
): Promise<PartnerListRow | undefined> {
  const known = await findPartnerList(postgres, wanted);
  return known ?? postgres.transaction((transaction) => ensureLocked(transaction, wanted));
}

/** Makes the list as `ensurePartnerList` does, in a transaction that is short, too, and takes one that is there out of the archive. */
export async function openPartnerList(
  transaction: Transaction,
  wanted: NewPartnerList,
): Promise<PartnerListRow | undefined> {
  const list = (await findPartnerList(transaction, wanted)) ?? (await ensureLocked(transaction, wanted));
  if (list?.isArchived !== true) return list;
  await transaction.execute(archiveStatement, [...keyValues(wanted), false]);
  return { ...list, isArchived: false };
}

async function ensureLocked(transaction: Transaction, wanted: NewPartnerList): Promise<PartnerListRow | undefined> {
  await transaction.query(lockStatement, [LOCK_CLASS, wanted.account]);
  const found = await findPartnerList(transaction, wanted);
  if (found !== undefined) return found;
  const list = await listFor(transaction, wanted);
  if (list === undefined) return undefined;
  await transaction.execute(bindStatement, [...keyValues(wanted), list]);
  return { list, isArchived: false };
}

async function listFor(transaction: Transaction, wanted: NewPartnerList): Promise<number | undefined> {
  const { name, list } = await findFreeName(transaction, wanted);
  return list ?? insertList(transaction, wanted, name);
}

/** The name that an unknown list of a partner has, or would get: the first of the names that stands for no other id of a partner. */
export async function freePartnerListName(
  session: Session,
  wanted: Pick<NewPartnerList, "account" | "names">,
): Promise<string> {
  return (await findFreeName(session, wanted)).name;
}

async function findFreeName(session: Session, { account, names }: Pick<NewPartnerList, "account" | "names">) {
  let taken: { readonly name: string; readonly list?: number } = { name: "" };
  for (const name of names) {
    const values = [account, name.toLowerCase()];
    const [row] = await session.query<{ id: number; isBound: boolean }>(byNameStatement, values);
    if (row === undefined) return { name };
    taken = { name, list: row.id };
    if (!row.isBound) return taken;
  }
  // Every name stands for another id already: the most special of them is shared rather than the push refused.
  return taken;
}

async function insertList(transaction: Transaction, wanted: NewPartnerList, name: string): Promise<number | undefined> {
  const { account, displayName, createdAt, listsMax } = wanted;
  const values = [account, name, name.toLowerCase(), displayName, createdAt, listsMax];
  const [row] = await transaction.query<{ id: number }>(insertListStatement, values);
  return row?.id;
}

/** An archived list is kept and no longer fed, until it is taken out of the archive. */
export async function archivePartnerList(session: Session, key: PartnerListKey): Promise<void> {
  await session.execute(archiveStatement, [...keyValues(key), true]);
}

/** @returns false when the name belongs to another list, or there is none for the id. */
export async function renamePartnerList(
  session: Session,
  key: PartnerListKey,
  to: { readonly name: string; readonly displayName: string },
): Promise<boolean> {
  const values = [...keyValues(key), to.name, to.name.toLowerCase(), to.displayName];
  return (await session.execute(renameStatement, values)) === 1;
}

function keyValues({ account, partner, externalId }: PartnerListKey) {
  return [account, partner, externalId];
}
