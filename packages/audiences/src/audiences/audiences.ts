import { textArray } from "@headwater/postgres/connection/arrays";
import { createConditions } from "@headwater/postgres/connection/conditions";
import { type KeyedPage, keyedPageText } from "@headwater/postgres/connection/keyedPage";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Members of a saved audience beside its key; null = absent. */
export interface AudienceMembers {
  readonly name: string;
  readonly description: string | null;
  readonly tags: readonly string[] | null;
  /** JSON text. */
  readonly criteria: string;
  /** JSON text: the ids of the lists that the criteria name by name. */
  readonly lists: string;
}

export interface AudienceKey {
  readonly account: number;
  /** 24 hex characters. */
  readonly id: string;
}

export interface NewAudience extends AudienceKey, AudienceMembers {
  readonly key: string;
}

export interface StoredAudience extends NewAudience {
  readonly lastCount: number | null;
  /** Milliseconds since 1970. */
  readonly lastCountAsOf: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const AUDIENCE_COLUMNS = `account, id, key, name, description, tags, criteria, lists, last_count AS "lastCount",
  last_count_as_of AS "lastCountAsOf", created_at AS "createdAt", updated_at AS "updatedAt"`;
const insertStatement = {
  name: "audiences_insert",
  text: `INSERT INTO audiences (account, id, key, name, description, tags, criteria, lists, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6::text[], $7, $8, $9, $9) ON CONFLICT (account, key) DO NOTHING`,
};
const readStatement = {
  name: "audiences_read",
  text: `SELECT ${AUDIENCE_COLUMNS} FROM audiences WHERE account = $1 AND (id = $2 OR key = $2)`,
};
const lockStatement = { name: "audiences_lock", text: `${readStatement.text} FOR UPDATE` };
/** A count of other criteria is none of these. */
const updateStatement = {
  name: "audiences_update",
  text: `UPDATE audiences SET name = $3, description = $4, tags = $5::text[], criteria = $6, lists = $7, updated_at = $8,
      last_count = CASE WHEN criteria = $6 THEN last_count END,
      last_count_as_of = CASE WHEN criteria = $6 THEN last_count_as_of END,
      counted_at = CASE WHEN criteria = $6 THEN counted_at END
    WHERE account = $1 AND id = $2`,
};
const deleteStatement = { name: "audiences_delete", text: "DELETE FROM audiences WHERE account = $1 AND id = $2" };
const countedStatement = {
  name: "audiences_counted",
  text: `UPDATE audiences SET last_count = $4, last_count_as_of = $5, counted_at = $6
    WHERE account = $1 AND id = $2 AND criteria = $3 AND (counted_at IS NULL OR counted_at <= $6 - $7::bigint)`,
};
/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_410;
const accountLock = { name: "audiences_account_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };

/** Held to the end of the transaction: no audience of the account is written meanwhile, so no two writes make a cycle together. */
export async function lockAudiences(transaction: Transaction, account: number): Promise<void> {
  await transaction.query(accountLock, [LOCK_CLASS, account]);
}

/** @returns false when the key is taken; of two that come at once one gets false. */
export async function insertAudience(transaction: Transaction, audience: NewAudience, nowMs: number): Promise<boolean> {
  const { account, id, key } = audience;
  return (await transaction.execute(insertStatement, [account, id, key, ...valuesOf(audience), nowMs])) === 1;
}

/** @param named its key or id. */
export async function readAudience(
  session: Session,
  account: number,
  named: string,
): Promise<StoredAudience | undefined> {
  const [row] = await session.query<StoredAudience>(readStatement, [account, named]);
  return row;
}

/** Locked until the transaction ends: nobody changes it, and nobody begins to use it. */
export async function lockAudience(
  transaction: Transaction,
  account: number,
  named: string,
): Promise<StoredAudience | undefined> {
  const [row] = await transaction.query<StoredAudience>(lockStatement, [account, named]);
  return row;
}

export async function updateAudience(
  transaction: Transaction,
  audience: AudienceKey & AudienceMembers,
  nowMs: number,
): Promise<void> {
  const { account, id } = audience;
  await transaction.execute(updateStatement, [account, id, ...valuesOf(audience), nowMs]);
}

/** The audience must be locked and have no users. */
export async function deleteAudience(transaction: Transaction, { account, id }: AudienceKey): Promise<void> {
  await transaction.execute(deleteStatement, [account, id]);
}

/** A count of an audience as it was defined when it was counted. */
export interface AudienceCount extends AudienceKey {
  readonly criteria: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly asOf: number;
}

/** Written once in so many milliseconds at most; a count of a definition of before is left out. */
export async function setLastCount(
  session: Session,
  { account, id, criteria, count, asOf }: AudienceCount,
  { nowMs, everyMs }: { readonly nowMs: number; readonly everyMs: number },
): Promise<void> {
  await session.execute(countedStatement, [account, id, criteria, count, asOf, nowMs, everyMs]);
}

function valuesOf({ name, description, tags, criteria, lists }: AudienceMembers) {
  return [name, description, tags === null ? null : textArray(tags, (tag) => tag), criteria, lists];
}

export interface AudienceFilters {
  readonly account: number;
  /** Tags of which an audience must have one. */
  readonly tags?: readonly string[];
}

export interface AudiencesPage extends AudienceFilters, KeyedPage {
  /** Limit of the criteria text that is read; the first audience's always is. 0 reads none. */
  readonly criteriaBytesMax: number;
}

/** An audience of a page; `criteria` is null where the page has no room for it. */
export type ListedAudience = Omit<StoredAudience, "criteria"> & { readonly criteria: string | null };

/** Lists in order of (time of creation, key), of (name, key), or of key alone. */
export function pageAudiences(session: Session, page: AudiencesPage): Promise<ListedAudience[]> {
  const where = filters(page);
  const columns = AUDIENCE_COLUMNS.replace("criteria, ", "");
  const text = keyedPageText(where, page, {
    table: "audiences",
    columns,
    large: "criteria",
    bytesMax: page.criteriaBytesMax,
  });
  return session.query({ text }, where.values);
}

export async function countAudiences(session: Session, filter: AudienceFilters): Promise<number> {
  const where = filters(filter);
  const text = `SELECT count(*) AS count FROM audiences WHERE ${where.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

function filters({ account, tags }: AudienceFilters) {
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  if (tags !== undefined) where.add(`tags && ${where.bind(textArray(tags, (tag) => tag))}::text[]`);
  return where;
}
