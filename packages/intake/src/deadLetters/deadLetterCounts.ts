import { createConditions } from "@headwater/postgres/connection/conditions";
import type { Session } from "@headwater/postgres/connection/session";
import { conditionsOf, type DeadLetterFilters } from "./deadLetters.ts";

/** A cause of refusals and the number of its records: from `reject_counts` where the filters allow it. */

export interface DeadLetterCause {
  readonly code: string;
  readonly operation: string;
  readonly count: number;
  /** Times of the first and the last rejection. */
  readonly first: number;
  readonly last: number;
  /** Id of one of them. */
  readonly sampleId: string;
}

export async function countDeadLetters(session: Session, filters: DeadLetterFilters): Promise<number> {
  const where = createConditions();
  const conditions = conditionsOf(filters, where);
  const text = isCounted(filters)
    ? `SELECT COALESCE(sum(records), 0)::bigint AS count FROM reject_counts WHERE ${conditions}`
    : `SELECT count(*) AS count FROM rejects WHERE ${conditions}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

/** Counts dead letters by code and operation, the most frequent first. */
export async function groupDeadLetters(session: Session, filters: DeadLetterFilters): Promise<DeadLetterCause[]> {
  const where = createConditions();
  const conditions = conditionsOf(filters, where);
  const text = isCounted(filters) ? countedCauses(conditions) : scannedCauses(conditions);
  return joined(await session.query<DeadLetterCause>({ text }, where.values));
}

/** The counts know neither ids nor times. */
function isCounted({ ids, from, to }: DeadLetterFilters): boolean {
  return ids === undefined && from === undefined && to === undefined;
}

/** First and last of a cause are the ends of its part of an index. */
function countedCauses(conditions: string): string {
  const end = (order: string) => `LATERAL (SELECT r.rejected_at, r.record_id FROM rejects r
      WHERE r.account = c.account AND r.status = c.status AND r.code = c.code AND r.operation = c.operation
      ORDER BY r.rejected_at ${order}, r.record_id ${order} LIMIT 1)`;
  return `SELECT c.code, c.operation, c.count, f.rejected_at AS first, l.rejected_at AS last, l.record_id AS "sampleId"
    FROM (SELECT account, status, code, operation, sum(records)::bigint AS count FROM reject_counts WHERE ${conditions}
        GROUP BY account, status, code, operation HAVING sum(records) > 0) c,
      ${end("ASC")} f, ${end("DESC")} l`;
}

function scannedCauses(conditions: string): string {
  return `SELECT code, operation, count(*) AS count, min(rejected_at) AS first, max(rejected_at) AS last, min(record_id) AS "sampleId"
    FROM rejects WHERE ${conditions} GROUP BY code, operation`;
}

/** One cause in several states is one. */
function joined(rows: readonly DeadLetterCause[]): DeadLetterCause[] {
  const causes = new Map<string, DeadLetterCause>();
  for (const row of rows) {
    const key = `${row.code} ${row.operation}`;
    const known = causes.get(key);
    causes.set(key, known === undefined ? row : together(known, row));
  }
  return [...causes.values()].sort(compareCauses);
}

/** Orders causes: the most frequent first, those of one number by code and operation. */
export function compareCauses(a: CauseOrder, b: CauseOrder): number {
  return b.count - a.count || compareTexts(a.code, b.code) || compareTexts(a.operation, b.operation);
}

export type CauseOrder = Pick<DeadLetterCause, "count" | "code" | "operation">;

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function together(a: DeadLetterCause, b: DeadLetterCause): DeadLetterCause {
  const { sampleId } = a.last >= b.last ? a : b;
  const first = Math.min(a.first, b.first);
  return { ...a, count: a.count + b.count, first, last: Math.max(a.last, b.last), sampleId };
}
