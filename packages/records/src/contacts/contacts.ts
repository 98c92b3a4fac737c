import { jsonTexts, plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { ANY_BYTES, boundDocuments, wholeRows } from "@headwater/postgres/connection/documentBound";
import { keyGroups } from "@headwater/postgres/connection/keyGroups";
import type { Session, Statement, Transaction } from "@headwater/postgres/connection/session";
import type { ContactRow } from "./contactDocument.ts";

/** A contact as stored: `doc` is the text of its document, times are milliseconds since 1970. */
export type StoredContact = ContactRow;

export interface ContactKey {
  readonly account: number;
  readonly number: number;
}

const COLUMNS = `c.account, c.number, c.cid, c.created_at AS "createdAt", c.modified_at AS "modifiedAt", c.version,
  c.merged_into AS "mergedInto", c.doc`;
const NAMES = `account, number, cid, "createdAt", "modifiedAt", version, "mergedInto"`;
const KEY_COLUMNS = `c.account, c.number, c.merged_into AS "mergedInto"`;
const OF_ACCOUNT = "FROM contacts c WHERE c.account = $1 AND c.number = ANY ($2::bigint[])";
const OF_ALL = "FROM unnest($1::int[], $2::bigint[]) AS k (account, number) JOIN contacts c USING (account, number)";
const LOCKED = "ORDER BY c.account, c.number FOR NO KEY UPDATE OF c";

/** The same question about one account, and about many. */
interface KeyStatements {
  readonly ofAccount: Statement;
  readonly ofAll: Statement;
}
const lockStatements: KeyStatements = {
  ofAccount: {
    name: "contacts_lock",
    text: boundDocuments(`SELECT ${COLUMNS} ${OF_ACCOUNT} ${LOCKED}`, NAMES, "$3"),
  },
  ofAll: { name: "contacts_lock_all", text: boundDocuments(`SELECT ${COLUMNS} ${OF_ALL} ${LOCKED}`, NAMES, "$3") },
};
const lockKeysStatements: KeyStatements = {
  ofAccount: { name: "contacts_lock_keys", text: `SELECT ${KEY_COLUMNS} ${OF_ACCOUNT} ${LOCKED}` },
  ofAll: { name: "contacts_lock_keys_all", text: `SELECT ${KEY_COLUMNS} ${OF_ALL} ${LOCKED}` },
};
const loadStatements: KeyStatements = {
  ofAccount: { name: "contacts_load", text: `SELECT ${COLUMNS} ${OF_ACCOUNT}` },
  ofAll: { name: "contacts_load_all", text: `SELECT ${COLUMNS} ${OF_ALL}` },
};

/**
 * Locks in order of (account, number), whatever order is given, so that two batches cannot wait for each other.
 * @throws DocumentsTooLarge when their documents together have more bytes.
 */
export async function lockContacts(
  transaction: Transaction,
  keys: readonly ContactKey[],
  bytesMax: number = ANY_BYTES,
): Promise<StoredContact[]> {
  return wholeRows(await selectByKey<StoredContact>(transaction, lockStatements, keys, bytesMax));
}

/** The same without documents, for records that only point at a contact: while it is locked no merge can take it away. */
export function lockContactNumbers(
  transaction: Transaction,
  keys: readonly ContactKey[],
): Promise<(ContactKey & { readonly mergedInto: number | null })[]> {
  return selectByKey(transaction, lockKeysStatements, keys);
}

export function loadContacts(session: Session, keys: readonly ContactKey[]): Promise<StoredContact[]> {
  return selectByKey(session, loadStatements, keys);
}

const aliasesStatement = {
  name: "contacts_aliases",
  text: `SELECT c.account, c.number, c.merged_into AS survivor FROM unnest($1::int[], $2::bigint[]) AS k (account, number)
    JOIN contacts c ON c.account = k.account AND c.merged_into = k.number`,
};

/** Contacts that were merged into these, and who answers for them. */
export function readAliases(
  session: Session,
  survivors: readonly ContactKey[],
): Promise<(ContactKey & { readonly survivor: number })[]> {
  const accounts = plainArray(survivors, ({ account }) => account);
  return session.query(aliasesStatement, [accounts, plainArray(survivors, ({ number }) => number)]);
}

async function selectByKey<Row extends ContactKey>(
  session: Session,
  statements: KeyStatements,
  keys: readonly ContactKey[],
  ...more: readonly number[]
): Promise<Row[]> {
  const groups = keyGroups(keys, (a, b) => a.account - b.account);
  const numbers = (of: readonly ContactKey[]) => plainArray(of, (key) => key.number);
  if (groups === undefined)
    return session.query(statements.ofAll, [plainArray(keys, (key) => key.account), numbers(keys), ...more]);
  const answers = groups.map((group) =>
    session.query<Row>(statements.ofAccount, [group[0]?.account ?? 0, numbers(group), ...more]),
  );
  return (await Promise.all(answers)).flat();
}

/** `account + 0` keeps the planner from reading all of an account by its key where the table has no statistics yet. */
const cidsStatement = {
  name: "contacts_by_cid",
  text: `SELECT c.account, c.cid, COALESCE(c.merged_into, c.number) AS contact
    FROM unnest($1::int[], $2::text[]) AS k (account, cid) JOIN contacts c ON c.cid = k.cid AND c.account + 0 = k.account`,
};

/** Numbers of the live contacts that cids find: `merged_into` always names a live one (see moveToSurvivors). */
export async function loadCids(
  session: Session,
  keys: readonly { readonly account: number; readonly cid: string }[],
): Promise<{ readonly account: number; readonly cid: string; readonly contact: number }[]> {
  if (keys.length === 0) return [];
  return session.query(cidsStatement, [plainArray(keys, (key) => key.account), textArray(keys, (key) => key.cid)]);
}

const insertStatement = {
  name: "contacts_insert",
  text: `INSERT INTO contacts (account, number, cid, created_at, modified_at, version, merged_into, doc, revision)
    SELECT account, number, cid, created_at, modified_at, version, merged_into, doc, $9
    FROM unnest($1::int[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::uuid[], $7::bigint[], string_to_array($8, E'\\x1f'))
      AS r (account, number, cid, created_at, modified_at, version, merged_into, doc)`,
};

/** @param revision outbox position of the batch. @returns how many. A number that is there already fails as `unique`. */
export async function insertContacts(
  transaction: Transaction,
  rows: readonly StoredContact[],
  revision: number,
): Promise<number> {
  if (rows.length === 0) return 0;
  return transaction.execute(insertStatement, [
    plainArray(rows, (row) => row.account),
    plainArray(rows, (row) => row.number),
    plainArray(rows, (row) => row.cid),
    plainArray(rows, (row) => row.createdAt),
    plainArray(rows, (row) => row.modifiedAt),
    plainArray(rows, (row) => row.version),
    plainArray(rows, (row) => row.mergedInto),
    jsonTexts(rows, (row) => row.doc),
    revision,
  ]);
}

const updateStatement = {
  name: "contacts_update",
  text: `UPDATE contacts c SET created_at = r.created_at, modified_at = r.modified_at, version = r.version,
      merged_into = r.merged_into, doc = r.doc, revision = $8
    FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::uuid[], $6::bigint[], string_to_array($7, E'\\x1f'))
      AS r (account, number, created_at, modified_at, version, merged_into, doc)
    WHERE c.account = r.account AND c.number = r.number`,
};

/** Rows that the transaction has locked. @returns how many. */
export async function updateContacts(
  transaction: Transaction,
  rows: readonly StoredContact[],
  revision: number,
): Promise<number> {
  if (rows.length === 0) return 0;
  return transaction.execute(updateStatement, [
    plainArray(rows, (row) => row.account),
    plainArray(rows, (row) => row.number),
    plainArray(rows, (row) => row.createdAt),
    plainArray(rows, (row) => row.modifiedAt),
    plainArray(rows, (row) => row.version),
    plainArray(rows, (row) => row.mergedInto),
    jsonTexts(rows, (row) => row.doc),
    revision,
  ]);
}
