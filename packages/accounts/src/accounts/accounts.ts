import { type Account, type AccountSettings, accountSettings } from "@headwater/contracts";
import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

interface AccountRow {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly settings: unknown;
}

const COLUMNS = "number, id, name, settings";
const insertStatement = {
  text: `INSERT INTO intake.accounts (id, name, settings) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`,
};
const byIdStatement = { name: "accounts_by_id", text: `SELECT ${COLUMNS} FROM intake.accounts WHERE id = $1` };
const byIdsStatement = {
  name: "accounts_by_ids",
  text: `SELECT ${COLUMNS} FROM intake.accounts WHERE id = ANY ($1::text[])`,
};
const byNumberStatement = {
  name: "accounts_by_number",
  text: `SELECT ${COLUMNS} FROM intake.accounts WHERE number = $1`,
};
const listStatement = { name: "accounts_list", text: `SELECT ${COLUMNS} FROM intake.accounts ORDER BY number` };
const updateStatement = {
  // Another country, or another identifier, reads stored numbers in another form.
  text: `UPDATE intake.accounts SET name = $2, settings = $3::jsonb, version = version + 1,
    addresses_rewritten_at = CASE WHEN settings->'country' IS NOT DISTINCT FROM $3::jsonb->'country'
      AND settings->'identifiers' IS NOT DISTINCT FROM $3::jsonb->'identifiers' THEN addresses_rewritten_at END
    WHERE id = $1 RETURNING ${COLUMNS}`,
};
const documentStatement = {
  name: "accounts_document",
  text: `SELECT ${COLUMNS}, version FROM intake.accounts WHERE number = $1`,
};
const lockStatement = { name: "accounts_lock", text: `${documentStatement.text} FOR UPDATE` };
const shareStatement = { name: "accounts_share", text: `${byNumberStatement.text} FOR SHARE` };
const createdStatement = {
  name: "accounts_created",
  text: `SELECT GREATEST(floor(extract(epoch FROM created_at) * 1000)::bigint, (SELECT history_from FROM clickhouse_witness)) AS at
    FROM intake.accounts WHERE number = $1`,
};
const anyContactStatement = { name: "accounts_any_contact", text: "SELECT 1 FROM contacts WHERE account = $1 LIMIT 1" };

/** @throws what `postgresFailure` calls `unique` when the id is taken. */
export async function createAccount(
  session: Session,
  created: Pick<Account, "id" | "name" | "settings">,
): Promise<Account> {
  const [row] = await session.query<AccountRow>(insertStatement, [
    created.id,
    created.name,
    JSON.stringify(created.settings),
  ]);
  if (row === undefined) throw new Error("an insert with RETURNING answers its row");
  return toAccount(row);
}

export async function findAccount(session: Session, id: string): Promise<Account | undefined> {
  const [row] = await session.query<AccountRow>(byIdStatement, [id]);
  return row === undefined ? undefined : toAccount(row);
}

/** Accounts by their ids, one and many; unknown ones are left out. */
export function accountsIn(session: Session) {
  return {
    find: (id: string) => findAccount(session, id),
    async findMany(ids: readonly string[]): Promise<Map<string, Account>> {
      const rows = await session.query<AccountRow>(byIdsStatement, [textArray(ids, (id) => id)]);
      return new Map(rows.map((row) => [row.id, toAccount(row)]));
    },
  };
}

export async function findAccountByNumber(session: Session, number: number): Promise<Account | undefined> {
  const [row] = await session.query<AccountRow>(byNumberStatement, [number]);
  return row === undefined ? undefined : toAccount(row);
}

/** Reads an account whose document nobody changes until the transaction ends. */
export async function shareAccount(transaction: Transaction, number: number): Promise<Account | undefined> {
  const [row] = await transaction.query<AccountRow>(shareStatement, [number]);
  return row === undefined ? undefined : toAccount(row);
}

/** All accounts in order of number. */
export async function listAccounts(session: Session): Promise<Account[]> {
  return (await session.query<AccountRow>(listStatement)).map(toAccount);
}

/** @returns undefined when there is no such account. */
export async function updateAccount(
  session: Session,
  id: string,
  to: { readonly name: string; readonly settings: AccountSettings },
): Promise<Account | undefined> {
  const [row] = await session.query<AccountRow>(updateStatement, [id, to.name, JSON.stringify(to.settings)]);
  return row === undefined ? undefined : toAccount(row);
}

/** An account as it is stored now, with the number of times its document was written. */
export interface AccountDocument {
  readonly account: Account;
  readonly version: number;
}

export async function readAccountDocument(session: Session, number: number): Promise<AccountDocument> {
  return documentOf(await session.query<AccountRow & { version: number }>(documentStatement, [number]));
}

/** Nobody else changes it until the transaction ends. */
export async function lockAccountDocument(transaction: Transaction, number: number): Promise<AccountDocument> {
  return documentOf(await transaction.query<AccountRow & { version: number }>(lockStatement, [number]));
}

function documentOf([row]: readonly (AccountRow & { readonly version: number })[]): AccountDocument {
  if (row === undefined) throw new Error("accounts are never removed");
  return { account: toAccount(row), version: row.version };
}

/**
 * Reads when the recorded history of an account begins, in milliseconds since 1970: with the account itself, or with the last rebuild of
 * ClickHouse that could not restore what was before.
 */
export async function readHistoryStart(session: Session, number: number): Promise<number> {
  const [row] = await session.query<{ at: number }>(createdStatement, [number]);
  if (row === undefined) throw new Error("accounts are never removed");
  return row.at;
}

/** Returns whether the account has any contact, merged ones included. */
export async function hasContacts(session: Session, account: number): Promise<boolean> {
  return (await session.query(anyContactStatement, [account])).length > 0;
}

/** Settings get the defaults of members that came later than the row. */
export function toAccount(row: AccountRow): Account {
  return { number: row.number, id: row.id, name: row.name, settings: accountSettings.parse(row.settings) };
}
