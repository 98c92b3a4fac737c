import type { RejectStatus } from "@headwater/contracts";
import { jsonTexts, plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { deleteOlder, TIMESTAMP } from "@headwater/postgres/connection/oldRows";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Numbers of records of a request, by code. */
export type CodeCounts = Readonly<Record<string, number>>;

/** Counts of one request in one batch of one partition; only requests that had skips or warnings have them. */
export interface ReceiptCounts {
  readonly account: number;
  readonly requestId: string;
  readonly topic: string;
  readonly partition: number;
  /** First offset of the batch. */
  readonly logOffset: number;
  readonly skips: CodeCounts;
  readonly warnings: CodeCounts;
}

const insertStatement = {
  name: "receipt_counts_insert",
  text: `INSERT INTO receipt_counts (account, request_id, topic, partition, log_offset, skips, warnings)
    SELECT account, request_id, topic, partition, log_offset, skips::json, warnings::json
    FROM unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::bigint[], string_to_array($6, E'\\x1f'), string_to_array($7, E'\\x1f'))
      AS r (account, request_id, topic, partition, log_offset, skips, warnings) ON CONFLICT DO NOTHING`,
};
const countsStatement = {
  name: "receipt_counts_read",
  text: "SELECT skips, warnings FROM receipt_counts WHERE account = $1 AND request_id = $2",
};

const aging = {
  table: "receipt_counts",
  column: "created_at",
  moment: TIMESTAMP,
  unless: "EXISTS (SELECT FROM redrives r WHERE r.id = request_id)",
};

/** Inserts counts; those that are there stay: a log that is read again says nothing new of its first reading. */
export async function insertReceiptCounts(transaction: Transaction, rows: readonly ReceiptCounts[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(insertStatement, [
    plainArray(rows, (row) => row.account),
    textArray(rows, (row) => row.requestId),
    textArray(rows, (row) => row.topic),
    plainArray(rows, (row) => row.partition),
    plainArray(rows, (row) => row.logOffset),
    jsonTexts(rows, (row) => JSON.stringify(row.skips)),
    jsonTexts(rows, (row) => JSON.stringify(row.warnings)),
  ]);
}

/** Counts of requests that were worked off before then, but those of redrives that are kept. @returns how many rows. */
export function deleteReceiptCounts(session: Session, before: number): Promise<number> {
  return deleteOlder(session, aging, before);
}

/** Returns the counts of all its batches together. */
export async function readReceiptCounts(
  session: Session,
  account: number,
  requestId: string,
): Promise<{ readonly skips: CodeCounts; readonly warnings: CodeCounts }> {
  const rows = await session.query<{ skips: string; warnings: string }>(countsStatement, [account, requestId]);
  return { skips: sum(rows.map((row) => row.skips)), warnings: sum(rows.map((row) => row.warnings)) };
}

function sum(texts: readonly string[]): CodeCounts {
  const total = new Map<string, number>();
  for (const text of texts) {
    const counts: CodeCounts = JSON.parse(text);
    for (const [code, count] of Object.entries(counts)) total.set(code, (total.get(code) ?? 0) + count);
  }
  return Object.fromEntries(total);
}

/** A record of a request that was rejected or parked at some time, with its present state. */
export interface Rejection {
  readonly recordId: string;
  readonly index: number;
  readonly operation: string;
  readonly status: RejectStatus;
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

const rejectionsStatement = {
  name: "rejections_read",
  text: `SELECT record_id AS "recordId", item_index AS index, operation, status, code, path, message FROM rejects
    WHERE account = $1 AND request_id = $2 AND status = ANY ($3::text[]) AND (item_index, record_id) > ($4, $5)
    ORDER BY item_index, record_id LIMIT $6`,
};
const statusesStatement = {
  name: "rejections_count",
  text: `SELECT status, code, count(*) AS count FROM rejects WHERE account = $1 AND request_id = $2
    GROUP BY status, code ORDER BY status, code`,
};

const parkedStatement = {
  name: "receipts_parked",
  text: `SELECT DISTINCT r.account, r.request_id AS "requestId" FROM unnest($1::int[], $2::text[]) AS q (account, request_id)
    JOIN rejects r ON r.account = q.account AND r.request_id = q.request_id AND r.status = 'parked'`,
};

interface RequestOfAccount {
  readonly account: number;
  readonly requestId: string;
}

/** The requests of which any record is parked, among those given. */
export function readParked(session: Session, requests: readonly RequestOfAccount[]): Promise<RequestOfAccount[]> {
  return session.query(parkedStatement, [
    plainArray(requests, ({ account }) => account),
    textArray(requests, ({ requestId }) => requestId),
  ]);
}

export interface RejectionsPage {
  readonly account: number;
  readonly requestId: string;
  readonly statuses: readonly RejectStatus[];
  /** The last one of the page before. */
  readonly after?: { readonly index: number; readonly recordId: string };
  readonly rowsMax: number;
}

/** Returns a page in order of (item, record id). */
export function readRejections(session: Session, page: RejectionsPage): Promise<Rejection[]> {
  const after = page.after ?? { index: -1, recordId: "" };
  const statuses = textArray(page.statuses, (status) => status);
  return session.query(rejectionsStatement, [
    page.account,
    page.requestId,
    statuses,
    after.index,
    after.recordId,
    page.rowsMax,
  ]);
}

/** Counts the records of a request by state and code; those that were never refused are not among them. */
export function countRejections(
  session: Session,
  account: number,
  requestId: string,
): Promise<{ readonly status: RejectStatus; readonly code: string; readonly count: number }[]> {
  return session.query(statusesStatement, [account, requestId]);
}
