import { jsonTexts, plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { ANY_BYTES, boundDocuments, wholeRows } from "@headwater/postgres/connection/documentBound";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

export interface OrderKey {
  readonly account: number;
  readonly orderId: string;
}

/** An order as stored: `doc` is the text of its document, times are milliseconds since 1970. */
export interface StoredOrder extends OrderKey {
  readonly contact: number;
  /** The contact it was written for, when a merge has moved it. */
  readonly mergedFrom?: number | null | undefined;
  readonly purchasedAt: number;
  readonly version: string;
  readonly doc: string;
  /** Reads do not show it; default false. */
  readonly deleted?: boolean;
}

const SELECT = `SELECT o.account, o.order_id AS "orderId", o.contact, o.merged_from AS "mergedFrom", o.purchased_at AS "purchasedAt", o.version, o.doc
  FROM unnest($1::int[], $2::text[]) AS k (account, order_id) JOIN orders o USING (account, order_id)`;
const loadStatement = { name: "orders_load", text: SELECT };
const NAMES = `account, "orderId", contact, "mergedFrom", "purchasedAt", version`;
const LOCKED = `${SELECT} ORDER BY o.account, o.order_id FOR NO KEY UPDATE OF o`;
const lockStatement = { name: "orders_lock", text: boundDocuments(LOCKED, NAMES, "$3") };

export function loadOrders(session: Session, keys: readonly OrderKey[]): Promise<StoredOrder[]> {
  return selectByKey(session, loadStatement, keys);
}

/**
 * Locks in order of (account, order id), whatever order is given.
 * @throws DocumentsTooLarge when their documents together have more bytes.
 */
export async function lockOrders(
  transaction: Transaction,
  keys: readonly OrderKey[],
  bytesMax: number = ANY_BYTES,
): Promise<StoredOrder[]> {
  return wholeRows(await selectByKey(transaction, lockStatement, keys, bytesMax));
}

async function selectByKey(
  session: Session,
  statement: typeof loadStatement,
  keys: readonly OrderKey[],
  ...more: readonly number[]
) {
  if (keys.length === 0) return [];
  return session.query<Omit<StoredOrder, "deleted">>(statement, [
    plainArray(keys, (key) => key.account),
    textArray(keys, (key) => key.orderId),
    ...more,
  ]);
}

const ROWS = `unnest($1::int[], $2::text[], $3::bigint[], $4::bigint[], $5::uuid[], string_to_array($6, E'\\x1f'), $7::bigint[], $9::bool[])
  AS r (account, order_id, contact, purchased_at, version, doc, merged_from, deleted)`;
const insertStatement = {
  name: "orders_insert",
  text: `INSERT INTO orders (account, order_id, contact, purchased_at, version, doc, merged_from, deleted, revision)
    SELECT account, order_id, contact, purchased_at, version, doc, merged_from, deleted, $8 FROM ${ROWS}
    ORDER BY account, order_id ON CONFLICT DO NOTHING`,
};
const updateStatement = {
  name: "orders_update",
  text: `UPDATE orders o SET contact = r.contact, purchased_at = r.purchased_at, version = r.version, doc = r.doc, revision = $8,
      merged_from = r.merged_from, deleted = r.deleted
    FROM ${ROWS} WHERE o.account = r.account AND o.order_id = r.order_id`,
};

/** @returns how many were inserted; fewer than given means that another transaction was first with one of them. */
export function insertOrders(
  transaction: Transaction,
  rows: readonly StoredOrder[],
  revision: number,
): Promise<number> {
  return write(transaction, insertStatement, rows, revision);
}

/** Rows that the transaction has locked. @returns how many. */
export function updateOrders(
  transaction: Transaction,
  rows: readonly StoredOrder[],
  revision: number,
): Promise<number> {
  return write(transaction, updateStatement, rows, revision);
}

async function write(
  transaction: Transaction,
  statement: typeof insertStatement,
  rows: readonly StoredOrder[],
  revision: number,
) {
  if (rows.length === 0) return 0;
  return transaction.execute(statement, [
    plainArray(rows, (row) => row.account),
    textArray(rows, (row) => row.orderId),
    plainArray(rows, (row) => row.contact),
    plainArray(rows, (row) => row.purchasedAt),
    plainArray(rows, (row) => row.version),
    jsonTexts(rows, (row) => row.doc),
    plainArray(rows, (row) => row.mergedFrom ?? null),
    revision,
    plainArray(rows, (row) => row.deleted ?? false),
  ]);
}
