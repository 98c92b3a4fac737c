import { textArray } from "@headwater/postgres/connection/arrays";
import { createConditions } from "@headwater/postgres/connection/conditions";
import { type KeyedPage, keyedPageText } from "@headwater/postgres/connection/keyedPage";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Members of an include beside its key; null = absent. */
export interface IncludeMembers {
  readonly content: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly tags: readonly string[] | null;
}

export interface StoredInclude extends IncludeMembers {
  readonly account: number;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface IncludeKey {
  readonly account: number;
  readonly key: string;
}

const COLUMNS = `account, key, content, name, description, tags, created_at AS "createdAt", updated_at AS "updatedAt"`;
const insertStatement = {
  name: "includes_insert",
  text: `INSERT INTO includes (account, key, content, name, description, tags, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6::text[], $7, $7) ON CONFLICT DO NOTHING`,
};
const readStatement = {
  name: "includes_read",
  text: `SELECT ${COLUMNS} FROM includes WHERE account = $1 AND key = $2`,
};
const lockStatement = { name: "includes_lock", text: `${readStatement.text} FOR UPDATE` };
const updateStatement = {
  name: "includes_update",
  text: `UPDATE includes SET content = $3, name = $4, description = $5, tags = $6::text[], updated_at = $7
    WHERE account = $1 AND key = $2`,
};
const deleteStatement = { name: "includes_delete", text: "DELETE FROM includes WHERE account = $1 AND key = $2" };
/** @returns false when the key is taken; of two that come at once one gets false. */
export async function insertInclude(
  session: Session,
  include: Omit<StoredInclude, "createdAt" | "updatedAt">,
  nowMs: number,
): Promise<boolean> {
  const { account, key } = include;
  return (await session.execute(insertStatement, [account, key, ...valuesOf(include), nowMs])) === 1;
}

export async function readInclude(session: Session, { account, key }: IncludeKey): Promise<StoredInclude | undefined> {
  const [row] = await session.query<StoredInclude>(readStatement, [account, key]);
  return row;
}

/** Locked until the transaction ends: nobody changes it, and no message begins to use it. */
export async function lockInclude(
  transaction: Transaction,
  { account, key }: IncludeKey,
): Promise<StoredInclude | undefined> {
  const [row] = await transaction.query<StoredInclude>(lockStatement, [account, key]);
  return row;
}

export async function updateInclude(
  transaction: Transaction,
  include: Omit<StoredInclude, "createdAt" | "updatedAt">,
  nowMs: number,
): Promise<void> {
  const { account, key } = include;
  await transaction.execute(updateStatement, [account, key, ...valuesOf(include), nowMs]);
}

/** The include must be locked and have no users. */
export async function deleteInclude(transaction: Transaction, { account, key }: IncludeKey): Promise<void> {
  await transaction.execute(deleteStatement, [account, key]);
}

function valuesOf({ content, name, description, tags }: IncludeMembers) {
  return [content, name, description, tags === null ? null : textArray(tags, (tag) => tag)];
}

export interface IncludesPage extends KeyedPage {
  readonly account: number;
  /** Key of the only include that is wanted. */
  readonly key?: string;
  /** Limit of the content that is read; the first include's is read in any case. 0 reads none of it. */
  readonly contentBytesMax: number;
}

/** An include of a page; `content` is null where the page has no room for it. */
export type ListedInclude = Omit<StoredInclude, "content"> & { readonly content: string | null };

/** Returns a page in order of (time of creation, key), or of key alone. The content of rows beyond the bound stays where it is stored. */
export function pageIncludes(session: Session, page: IncludesPage): Promise<ListedInclude[]> {
  const where = filters(page);
  const columns = COLUMNS.replace("content, ", "");
  const text = keyedPageText(where, page, {
    table: "includes",
    columns,
    large: "content",
    bytesMax: page.contentBytesMax,
  });
  return session.query({ text }, where.values);
}

export async function countIncludes(session: Session, page: Pick<IncludesPage, "account" | "key">): Promise<number> {
  const where = filters(page);
  const text = `SELECT count(*) AS count FROM includes WHERE ${where.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

function filters({ account, key }: Pick<IncludesPage, "account" | "key">) {
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  if (key !== undefined) where.add(`key = ${where.bind(key)}`);
  return where;
}
