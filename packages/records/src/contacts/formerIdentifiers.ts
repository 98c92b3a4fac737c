import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { type IdentifierKey, keyArrays } from "./identifiers.ts";

/** An identifier that was taken from a contact: records up to the version mean that contact by it. */
export interface FormerIdentifierRow extends IdentifierKey {
  readonly contact: number;
  readonly until: string;
}

export interface LoadedFormerIdentifier extends FormerIdentifierRow {
  /** The contact that lives on for this one. */
  readonly live: number;
}

const KEYS = "unnest($1::int[], $2::text[], $3::text[]) AS k (account, name, value)";
const anyStatement = {
  name: "former_identifiers_any",
  text: "SELECT EXISTS (SELECT FROM former_identifiers WHERE until >= $1) AS any",
};
const loadStatement = {
  name: "former_identifiers_load",
  text: `SELECT f.account, f.name, f.value, f.until, f.contact, COALESCE(c.merged_into, c.number) AS live
    FROM ${KEYS} JOIN former_identifiers f USING (account, name, value)
    JOIN contacts c ON c.account = f.account AND c.number = f.contact WHERE f.until >= $4`,
};
const insertStatement = {
  name: "former_identifiers_insert",
  text: `INSERT INTO former_identifiers (account, name, value, until, contact)
    SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::uuid[], $5::bigint[]) AS r (account, name, value, until, contact)
    ORDER BY account, name, value, until
    ON CONFLICT (account, name, value, until) DO NOTHING`,
};
const FAMILY = "SELECT number FROM contacts WHERE account = $1 AND (number = $2 OR merged_into = $2)";
const giveStatement = {
  name: "former_identifiers_give",
  text: `UPDATE former_identifiers SET contact = $3 WHERE account = $1 AND contact IN (${FAMILY})`,
};
const takeStatement = {
  name: "former_identifiers_take",
  text: `DELETE FROM former_identifiers WHERE account = $1 AND contact IN (${FAMILY}) RETURNING name, value, until`,
};

/**
 * Contacts that identifiers found for records of a version or of later ones. One read of an index when nothing was taken since, as for
 * nearly every batch that is not read again.
 */
export async function loadFormerIdentifiers(
  session: Session,
  keys: readonly IdentifierKey[],
  from: string,
): Promise<LoadedFormerIdentifier[]> {
  if (keys.length === 0) return [];
  const [row] = await session.query<{ any: boolean }>(anyStatement, [from]);
  return row?.any === true ? session.query(loadStatement, [...keyArrays(keys), from]) : [];
}

/** Inserts former identifiers. Of two up to the same version the one that is there stays: it had the identifier first. */
export async function insertFormerIdentifiers(
  transaction: Transaction,
  rows: readonly FormerIdentifierRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const until = plainArray(rows, (row) => row.until);
  const contacts = plainArray(rows, (row) => row.contact);
  await transaction.execute(insertStatement, [...keyArrays(rows), until, contacts]);
}

/** Gives another contact what this one, and those merged into it, had before. */
export async function giveFormerIdentifiers(
  transaction: Transaction,
  { account, from, to }: { readonly account: number; readonly from: number; readonly to: number },
): Promise<void> {
  await transaction.execute(giveStatement, [account, from, to]);
}

/** Forgets what a contact, and those merged into it, had before. @returns it, with the version up to which they had it. */
export function takeFormerIdentifiers(
  transaction: Transaction,
  { account, number }: { readonly account: number; readonly number: number },
): Promise<Pick<FormerIdentifierRow, "name" | "value" | "until">[]> {
  return transaction.query<{ name: string; value: string; until: string }>(takeStatement, [account, number]);
}
