import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { compareTexts, keyGroups } from "@headwater/postgres/connection/keyGroups";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

export interface IdentifierKey {
  readonly account: number;
  readonly name: string;
  readonly value: string;
}

/** An identifier and the contact it finds. */
export interface IdentifierRow extends IdentifierKey {
  readonly contact: number;
}

const ROWS = "unnest($1::int[], $2::text[], $3::text[], $4::bigint[]) AS r (account, name, value, contact)";
const SAME = "i.account = r.account AND i.name = r.name AND i.value = r.value";
const SEPARATOR = "\x1f";

/** One row for all: 2,000 rows of one identifier each cost five times as much to read here. */
const ofNameStatement = {
  name: "identifiers_of_name",
  text: `SELECT string_agg(value, E'\\x1f') AS values, string_agg(contact::text, E'\\x1f') AS contacts FROM contact_identifiers
    WHERE account = $1 AND name = $2 AND value = ANY ($3::text[])`,
};
const ofAllStatement = {
  name: "identifiers_of_all",
  text: `SELECT account, name, value, contact FROM unnest($1::int[], $2::text[], $3::text[]) AS k (account, name, value)
    JOIN contact_identifiers USING (account, name, value)`,
};

const namedStatement = {
  name: "identifiers_named",
  text: "SELECT EXISTS (SELECT FROM contact_identifiers WHERE account = $1 AND name = $2) AS found",
};

/** Returns whether any contact of the account has an identifier of that name. */
export async function hasIdentifierNamed(session: Session, account: number, name: string): Promise<boolean> {
  const [row] = await session.query<{ found: boolean }>(namedStatement, [account, name]);
  return row?.found === true;
}

/** Returns the identifiers that are stored; merges move identifiers, so they find live contacts. */
export async function loadIdentifiers(session: Session, keys: readonly IdentifierKey[]): Promise<IdentifierRow[]> {
  if (keys.length === 0) return [];
  const groups = keyGroups(keys, (a, b) => a.account - b.account || compareTexts(a.name, b.name));
  if (groups === undefined) return session.query(ofAllStatement, keyArrays(keys));
  return (await Promise.all(groups.map((group) => loadOfName(session, group)))).flat();
}

async function loadOfName(session: Session, keys: readonly IdentifierKey[]): Promise<IdentifierRow[]> {
  const [{ account, name } = { account: 0, name: "" }] = keys;
  const wanted = textArray(keys, (key) => key.value);
  if (wanted.includes(SEPARATOR)) return session.query(ofAllStatement, keyArrays(keys));
  const [row] = await session.query<{ values: string | null; contacts: string | null }>(ofNameStatement, [
    account,
    name,
    wanted,
  ]);
  const contacts = (row?.contacts ?? "").split(SEPARATOR);
  const found = row?.values?.split(SEPARATOR) ?? [];
  return found.map((value, index) => ({ account, name, value, contact: Number(contacts[index]) }));
}

const pageStatement = {
  name: "identifiers_page",
  text: `SELECT value FROM contact_identifiers WHERE account = $1 AND name = $2 AND value > $3 ORDER BY value LIMIT $4`,
};

export interface IdentifierPage {
  readonly account: number;
  readonly name: string;
  /** The last value of the page before; empty at first. */
  readonly after: string;
  readonly rowsMax: number;
}

/** Returns the values of a name that are behind another one, in their order. */
export async function pageIdentifierValues(session: Session, page: IdentifierPage): Promise<string[]> {
  const { account, name, after, rowsMax } = page;
  const rows = await session.query<{ value: string }>(pageStatement, [account, name, after, rowsMax]);
  return rows.map(({ value }) => value);
}

const insertStatement = {
  name: "identifiers_insert",
  text: `INSERT INTO contact_identifiers (account, name, value, contact)
    SELECT account, name, value, contact FROM ${ROWS} ORDER BY account, name, value`,
};

/**
 * Inserts identifiers in sorted order, so that two batches that make the same ones cannot wait for each other: the later one waits for the
 * first to commit, and then fails as `unique`, which ends its transaction. (`ON CONFLICT DO NOTHING` would cost twice as much for the same
 * end.)
 * @returns how many.
 */
export async function insertIdentifiers(transaction: Transaction, rows: readonly IdentifierRow[]): Promise<number> {
  return rows.length === 0 ? 0 : transaction.execute(insertStatement, rowArrays(rows));
}

const moveStatement = {
  name: "identifiers_move",
  text: `UPDATE contact_identifiers i SET contact = r.contact FROM ${ROWS} WHERE ${SAME}`,
};

/** Identifiers that find another contact from now on. @returns how many were there. */
export async function moveIdentifiers(transaction: Transaction, rows: readonly IdentifierRow[]): Promise<number> {
  return rows.length === 0 ? 0 : transaction.execute(moveStatement, rowArrays(rows));
}

const deleteStatement = {
  name: "identifiers_delete",
  text: `DELETE FROM contact_identifiers i USING unnest($1::int[], $2::text[], $3::text[]) AS r (account, name, value) WHERE ${SAME}`,
};

/** @returns how many were there. */
export async function deleteIdentifiers(transaction: Transaction, keys: readonly IdentifierKey[]): Promise<number> {
  return keys.length === 0 ? 0 : transaction.execute(deleteStatement, keyArrays(keys));
}

/** Returns the parameters of statements that search for identifiers: accounts, names, values. */
export function keyArrays(keys: readonly IdentifierKey[]): string[] {
  return [
    plainArray(keys, (key) => key.account),
    textArray(keys, (key) => key.name),
    textArray(keys, (key) => key.value),
  ];
}

function rowArrays(rows: readonly IdentifierRow[]): string[] {
  return [...keyArrays(rows), plainArray(rows, (row) => row.contact)];
}
