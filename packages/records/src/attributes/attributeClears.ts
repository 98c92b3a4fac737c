import { type AccountLock, lockAccounts } from "@headwater/accounts/accounts/accountLocks";
import { jsonTexts, plainArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { type AttributeClears, noAttributeClears } from "../contacts/attributeClears.ts";
import type { StoredContact } from "../contacts/contacts.ts";

/** A definition was deleted: values of the attribute at or below the version are gone. */
export interface AttributeClear {
  readonly account: number;
  readonly key: string;
  readonly version: string;
}

/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_406;

const loadStatement = {
  name: "attribute_clears_load",
  text: `SELECT DISTINCT ON (account, key) account, key, version FROM attribute_clears WHERE account = ANY ($1::int[])
    ORDER BY account, key, version DESC`,
};
const allStatement = {
  name: "attribute_clears_all",
  text: "SELECT key, version, type FROM attribute_clears WHERE account = $1 ORDER BY key, version",
};
const insertStatement = {
  name: "attribute_clears_insert",
  text: "INSERT INTO attribute_clears (account, key, version, type) VALUES ($1, $2, $3, $4)",
};

/**
 * Waits until nobody deletes a definition of these accounts, and lets nobody do so before the transaction ends. With `alone` nobody
 * writes a contact of the account meanwhile. The first lock of all that a write takes: who is alone here waits for no other.
 */
export async function lockAttributes(transaction: Transaction, accounts: Iterable<AccountLock>): Promise<void> {
  await lockAccounts(transaction, LOCK_CLASS, accounts);
}

/** Returns clears by number of the account; accounts that never deleted a definition have none. */
export async function loadAttributeClears(
  session: Session,
  accounts: readonly number[],
): Promise<Map<number, AttributeClears>> {
  const rows = await session.query<AttributeClear>(loadStatement, [plainArray(accounts, (account) => account)]);
  const byAccount = Map.groupBy(rows, ({ account }) => account);
  return new Map([...byAccount].map(([account, own]) => [account, new Map(own.map((row) => [row.key, row.version]))]));
}

/** Returns the clears of one account. */
export async function readClearsOf(session: Session, account: number): Promise<AttributeClears> {
  return (await loadAttributeClears(session, [account])).get(account) ?? noAttributeClears;
}

/** All deletions of the account's definitions, those of one key in order. */
export function readAttributeClears(
  session: Session,
  account: number,
): Promise<(Omit<AttributeClear, "account"> & { readonly type: string })[]> {
  return session.query(allStatement, [account]);
}

/** Inserts a clear, under `lockAttributes` alone. @param type as the attribute was declared. */
export async function insertAttributeClear(
  transaction: Transaction,
  { account, key, version }: AttributeClear,
  type: string,
): Promise<void> {
  await transaction.execute(insertStatement, [account, key, version, type]);
}

/** Contacts that one look goes through. */
const PAGE_ROWS = 2_000;
const endStatement = {
  name: "attribute_clears_page_end",
  text: `SELECT max(number) AS last, count(*) AS looked FROM (
      SELECT number FROM contacts WHERE account = $1 AND number > $2 ORDER BY number LIMIT $3) AS page`,
};
/** The document names the attribute as JSON text; a value that reads so is checked for nothing. */
const pageStatement = {
  name: "attribute_clears_page",
  text: `SELECT account, number, cid, created_at AS "createdAt", modified_at AS "modifiedAt", version, merged_into AS "mergedInto", doc
    FROM contacts WHERE account = $1 AND number > $2 AND number <= $3 AND strpos(doc, $4) > 0
    ORDER BY number FOR NO KEY UPDATE`,
};
const storeStatement = {
  name: "attribute_clears_store",
  text: `UPDATE contacts c SET doc = r.doc FROM unnest($2::bigint[], string_to_array($3, E'\\x1f')) AS r (number, doc)
    WHERE c.account = $1 AND c.number = r.number`,
};

export interface ContactsPageWith {
  /** Contacts that may have the attribute, locked. */
  readonly rows: readonly StoredContact[];
  readonly looked: number;
  /** The last contact that was checked; null at the end. */
  readonly last: number | null;
}

/** The next contacts in order of number, those that were merged among them. */
export async function lockContactsWith(
  transaction: Transaction,
  { account, key }: AttributeClear,
  after: number,
): Promise<ContactsPageWith> {
  const [end] = await transaction.query<{ last: number | null; looked: number }>(endStatement, [
    account,
    after,
    PAGE_ROWS,
  ]);
  if (end === undefined || end.last === null) return { rows: [], looked: 0, last: null };
  const rows = await transaction.query<StoredContact>(pageStatement, [account, after, end.last, JSON.stringify(key)]);
  return { rows, ...end };
}

/** Replaces documents of locked contacts; nothing that anyone can see may differ. */
export async function storeDocuments(
  transaction: Transaction,
  account: number,
  rows: readonly { readonly number: number; readonly doc: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  const documents = jsonTexts(rows, ({ doc }) => doc);
  await transaction.execute(storeStatement, [account, plainArray(rows, ({ number }) => number), documents]);
}
