import { jsonTexts, plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { ANY_BYTES, boundDocuments, wholeRows } from "@headwater/postgres/connection/documentBound";
import { keyGroups } from "@headwater/postgres/connection/keyGroups";
import type { Transaction } from "@headwater/postgres/connection/session";

export interface SupplementRecordKey {
  readonly account: number;
  /** Number of the table in its account. */
  readonly supplement: number;
  readonly id: string;
}

/** A record as stored: `doc` is the text of its document, times are milliseconds since 1970. */
export interface StoredSupplementRecord extends SupplementRecordKey {
  /** Number of the contact it was written for. */
  readonly contact: number | null;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly version: string;
  /** Version of its last deletion: the record exists when `version` is greater. */
  readonly deletedVersion: string | null;
  readonly doc: string;
}

const COLUMNS = `s.account, s.supplement, s.id, s.contact, s.created_at AS "createdAt", s.modified_at AS "modifiedAt", s.version, s.deleted_version AS "deletedVersion", s.doc`;
const NAMES = `account, supplement, id, contact, "createdAt", "modifiedAt", version, "deletedVersion"`;
const LOCKED = "ORDER BY s.account, s.supplement, s.id FOR NO KEY UPDATE OF s";
const ofTableStatement = {
  name: "supplement_records_lock",
  text: boundDocuments(
    `SELECT ${COLUMNS} FROM supplement_records s WHERE s.account = $1 AND s.supplement = $2 AND s.id = ANY ($3::text[]) ${LOCKED}`,
    NAMES,
    "$4",
  ),
};
const ofAllStatement = {
  name: "supplement_records_lock_all",
  text: boundDocuments(
    `SELECT ${COLUMNS} FROM unnest($1::int[], $2::int[], $3::text[]) AS k (account, supplement, id)
    JOIN supplement_records s USING (account, supplement, id) ${LOCKED}`,
    NAMES,
    "$4",
  ),
};

/**
 * Locks in order of (account, table, id), whatever order is given.
 * @throws DocumentsTooLarge when their documents together have more bytes.
 */
export async function lockSupplementRecords(
  transaction: Transaction,
  keys: readonly SupplementRecordKey[],
  bytesMax: number = ANY_BYTES,
): Promise<StoredSupplementRecord[]> {
  const groups = keyGroups(keys, (a, b) => a.account - b.account || a.supplement - b.supplement);
  const ids = (of: readonly SupplementRecordKey[]) => textArray(of, (key) => key.id);
  if (groups === undefined) {
    const parts = [plainArray(keys, (key) => key.account), plainArray(keys, (key) => key.supplement), ids(keys)];
    return wholeRows(await transaction.query(ofAllStatement, [...parts, bytesMax]));
  }
  const answers = groups.map((group) => {
    const [{ account, supplement } = { account: 0, supplement: 0 }] = group;
    return transaction.query<StoredSupplementRecord>(ofTableStatement, [account, supplement, ids(group), bytesMax]);
  });
  return wholeRows((await Promise.all(answers)).flat());
}

const ROWS = `unnest($1::int[], $2::int[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::uuid[], $8::uuid[], string_to_array($9, E'\\x1f'))
  AS r (account, supplement, id, contact, created_at, modified_at, version, deleted_version, doc)`;
const insertStatement = {
  name: "supplement_records_insert",
  text: `INSERT INTO supplement_records (account, supplement, id, contact, created_at, modified_at, version, deleted_version, doc, revision)
    SELECT account, supplement, id, contact, created_at, modified_at, version, deleted_version, doc, $10 FROM ${ROWS}
    ORDER BY account, supplement, id ON CONFLICT DO NOTHING`,
};
const updateStatement = {
  name: "supplement_records_update",
  text: `UPDATE supplement_records s SET contact = r.contact, created_at = r.created_at, modified_at = r.modified_at,
      version = r.version, deleted_version = r.deleted_version, doc = r.doc, revision = $10
    FROM ${ROWS} WHERE s.account = r.account AND s.supplement = r.supplement AND s.id = r.id`,
};

/** @returns how many were inserted; fewer than given means that another transaction was first with one of them. */
export function insertSupplementRecords(
  transaction: Transaction,
  rows: readonly StoredSupplementRecord[],
  revision: number,
): Promise<number> {
  return write(transaction, insertStatement, rows, revision);
}

/** Rows that the transaction has locked. @returns how many. */
export function updateSupplementRecords(
  transaction: Transaction,
  rows: readonly StoredSupplementRecord[],
  revision: number,
): Promise<number> {
  return write(transaction, updateStatement, rows, revision);
}

async function write(
  transaction: Transaction,
  statement: typeof insertStatement,
  rows: readonly StoredSupplementRecord[],
  revision: number,
) {
  if (rows.length === 0) return 0;
  return transaction.execute(statement, [
    plainArray(rows, (row) => row.account),
    plainArray(rows, (row) => row.supplement),
    textArray(rows, (row) => row.id),
    plainArray(rows, (row) => row.contact),
    plainArray(rows, (row) => row.createdAt),
    plainArray(rows, (row) => row.modifiedAt),
    plainArray(rows, (row) => row.version),
    plainArray(rows, (row) => row.deletedVersion),
    jsonTexts(rows, (row) => row.doc),
    revision,
  ]);
}
