import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { LogPartition } from "@headwater/postgres/streams/activityResolutions";

/** Account, operation and the hour in which the ingress accepted the records (hours since 1970). */
export interface AccountingKey {
  readonly account: number;
  readonly hour: number;
  readonly operation: string;
}

/** Outcomes of the records of one batch. */
export interface OutcomeCount extends AccountingKey {
  readonly applied: number;
  readonly skipped: number;
  /** Records that stood in the log before. */
  readonly copies: number;
}

export interface LogCount extends AccountingKey {
  readonly records: number;
}

/** One frame of a batch: its offset, append time, and records by index of the batch's counts. */
export type FrameCount = readonly [offset: number, timeMs: number, counts: readonly (readonly [number, number])[]];

export interface LogBatch {
  readonly firstOffset: number;
  readonly nextOffset: number;
  /** Frames' offsets and times are less the batch's first. */
  readonly baseTime: number;
  readonly counts: readonly LogCount[];
  readonly frames: readonly FrameCount[];
  readonly madeAt: number;
}

type Position = Pick<LogPartition, "topic" | "partition">;

const outcomesStatement = {
  name: "outcome_counts_add",
  text: `INSERT INTO outcome_counts AS c (account, hour, operation, topic, partition, applied, skipped, copies)
    SELECT account, hour, operation, $1, $2, applied, skipped, copies
    FROM unnest($3::int[], $4::int[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[])
      AS r (account, hour, operation, applied, skipped, copies) ORDER BY account, hour, operation
    ON CONFLICT (account, hour, operation, topic, partition) DO UPDATE
    SET applied = c.applied + EXCLUDED.applied, skipped = c.skipped + EXCLUDED.skipped, copies = c.copies + EXCLUDED.copies`,
};
const logStatement = {
  name: "log_counts_add",
  text: `INSERT INTO log_counts AS c (account, hour, operation, topic, partition, records)
    SELECT account, hour, operation, $1, $2, records FROM unnest($3::int[], $4::int[], $5::text[], $6::bigint[])
      AS r (account, hour, operation, records) ORDER BY account, hour, operation
    ON CONFLICT (account, hour, operation, topic, partition) DO UPDATE SET records = c.records + EXCLUDED.records`,
};
const batchStatement = {
  name: "log_batches_insert",
  text: `INSERT INTO log_batches (topic, partition, first_offset, next_offset, base_time, records, counts, frames, made_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};
const deleteStatement = {
  name: "log_batches_drop",
  text: "DELETE FROM log_batches WHERE topic = $1 AND partition = $2 AND next_offset <= $3",
};

/** Adds counts in the transaction of the batch. Keys are unique. */
export async function addOutcomeCounts(
  transaction: Transaction,
  { topic, partition }: Position,
  rows: readonly OutcomeCount[],
): Promise<void> {
  if (rows.length === 0) return;
  const counts = [
    plain(rows, (row) => row.applied),
    plain(rows, (row) => row.skipped),
    plain(rows, (row) => row.copies),
  ];
  await transaction.execute(outcomesStatement, [topic, partition, ...keys(rows), ...counts]);
}

/** Adds what the log holds in one batch of frames, in the transaction of the offset. */
export async function addLogBatch(
  transaction: Transaction,
  { topic, partition }: Position,
  batch: LogBatch,
): Promise<void> {
  const { firstOffset, nextOffset, baseTime, counts, frames, madeAt: createdAt } = batch;
  const records = counts.reduce((sum, row) => sum + row.records, 0);
  const keyed = counts.map((row) => [row.account, row.hour, row.operation, row.records]);
  const values = [firstOffset, nextOffset, baseTime, records, JSON.stringify(keyed), JSON.stringify(frames), createdAt];
  const writes = [transaction.execute(batchStatement, [topic, partition, ...values])];
  if (counts.length > 0) {
    const added = [topic, partition, ...keys(counts), plain(counts, (row) => row.records)];
    writes.push(transaction.execute(logStatement, added));
  }
  await Promise.all(writes);
}

/** Batches that end at or before the offset. @returns how many. */
export function deleteLogBatches(session: Session, { topic, partition }: Position, below: number): Promise<number> {
  return session.execute(deleteStatement, [topic, partition, below]);
}

const deleteOutcomesStatement = { name: "outcome_counts_delete", text: "DELETE FROM outcome_counts WHERE hour < $1" };
const deleteLogStatement = { name: "log_counts_delete", text: "DELETE FROM log_counts WHERE hour < $1" };

const deleteLostStatement = { name: "lost_counts_delete", text: "DELETE FROM lost_counts WHERE hour < $1" };

/** All counts of hours before this one go together. */
export async function deleteCounts(transaction: Transaction, hour: number): Promise<void> {
  await Promise.all([
    transaction.execute(deleteOutcomesStatement, [hour]),
    transaction.execute(deleteLogStatement, [hour]),
    transaction.execute(deleteLostStatement, [hour]),
  ]);
}

/** Hours since 1970: from included, to excluded; without an account, of all. */
export interface AccountingRange {
  readonly account?: number | undefined;
  readonly from: number;
  readonly to: number;
}

export interface OffsetOf extends Position {
  readonly nextOffset: number;
}

/** Outcomes of records and the positions of the log up to which they are counted, in one snapshot. */
export interface OutcomesSeen {
  readonly offsets: readonly OffsetOf[];
  readonly outcomes: readonly OutcomeCount[];
  readonly rejects: readonly (AccountingKey & { readonly rejected: number; readonly parked: number })[];
  /** Records that the log lost before they had an outcome. */
  readonly lost: readonly LogCount[];
}

/** A batch that ends behind a position: whole, or with its frames when it begins before it. */
export interface LaterBatch extends Position {
  readonly firstOffset: number;
  readonly counts: readonly (readonly [account: number, hour: number, operation: string, records: number])[];
  readonly frames: readonly FrameCount[] | null;
}

/** Records of the log, the positions up to which they are counted, and those behind the positions asked for, in one snapshot. */
export interface LogSeen {
  readonly offsets: readonly OffsetOf[];
  readonly counts: readonly LogCount[];
  readonly later: readonly LaterBatch[];
}

const HOUR_MS = 3_600_000;
const offsetsOf = (parameter: string) =>
  `(SELECT COALESCE(json_agg(json_build_object('topic', topic, 'partition', partition, 'nextOffset', next_offset)), '[]')
    FROM stream_offsets WHERE grp = ${parameter}) AS offsets`;
const listed = (rows: string) => `(SELECT COALESCE(json_agg(r), '[]') FROM (${rows}) r)`;

/** @param group whose offsets say how far the outcomes go. */
export async function readOutcomesSeen(session: Session, group: string, range: AccountingRange): Promise<OutcomesSeen> {
  const { account, from, to } = range;
  const whose = account === undefined ? "" : "account = $4 AND ";
  const text = `SELECT ${offsetsOf("$1")},
    ${listed(`SELECT account, hour, operation, sum(applied)::bigint AS applied, sum(skipped)::bigint AS skipped, sum(copies)::bigint AS copies
      FROM outcome_counts WHERE ${whose}hour >= $2::int AND hour < $3::int GROUP BY account, hour, operation`)} AS outcomes,
    ${listed(`SELECT account, received_at / ${HOUR_MS} AS hour, operation,
        count(*) FILTER (WHERE status = 'parked') AS parked, count(*) FILTER (WHERE status IN ('open', 'redriven', 'discarded')) AS rejected
      FROM rejects WHERE ${whose}(quarantined_by IS NULL OR quarantined_by = 'activities') AND received_at >= $2::bigint * ${HOUR_MS} AND received_at < $3::bigint * ${HOUR_MS}
      GROUP BY account, hour, operation`)} AS rejects,
    ${listed(`SELECT account, hour, operation, sum(records)::bigint AS records FROM lost_counts
      WHERE ${whose}hour >= $2::int AND hour < $3::int GROUP BY account, hour, operation`)} AS lost`;
  const values = account === undefined ? [group, from, to] : [group, from, to, account];
  const [row] = await session.query<Record<keyof OutcomesSeen, string>>({ text }, values);
  if (row === undefined) throw new Error("a SELECT of aggregates answers one row");
  const { offsets, outcomes, rejects, lost } = row;
  return { offsets: parse(offsets), outcomes: parse(outcomes), rejects: parse(rejects), lost: parse(lost) };
}

/** @param positions where `later` begins; a partition that is not named begins at 0. */
export async function readLogSeen(
  session: Session,
  { group, places: positions }: { readonly group: string; readonly places: readonly OffsetOf[] },
  { account, from, to }: AccountingRange,
): Promise<LogSeen> {
  const whose = account === undefined ? "" : "account = $7 AND ";
  const text = `SELECT ${offsetsOf("$1")},
    ${listed(`SELECT account, hour, operation, sum(records)::bigint AS records FROM log_counts
      WHERE ${whose}hour >= $2::int AND hour < $3::int GROUP BY account, hour, operation`)} AS counts,
    ${listed(`SELECT b.topic, b.partition, b.first_offset AS "firstOffset", b.counts,
        CASE WHEN b.first_offset < p.next_offset THEN b.frames END AS frames
      FROM log_batches b LEFT JOIN unnest($4::text[], $5::int[], $6::bigint[]) AS p (topic, partition, next_offset) USING (topic, partition)
      WHERE b.next_offset > COALESCE(p.next_offset, 0)`)} AS later`;
  const values = [group, from, to, ...positionArrays(positions), ...(account === undefined ? [] : [account])];
  const [row] = await session.query<Record<keyof LogSeen, string>>({ text }, values);
  if (row === undefined) throw new Error("a SELECT of aggregates answers one row");
  return { offsets: parse(row.offsets), counts: parse(row.counts), later: parse(row.later) };
}

/** Records that the log is known to hold behind a position. */
export interface Behind extends OffsetOf {
  /** Offset up to which it was counted. */
  readonly countedTo: number;
  /** Records in batches that begin at the position or behind it. */
  readonly records: number;
  /** The batch in which the position lies, or the next one; null when nothing behind the position was counted. */
  readonly head: {
    readonly firstOffset: number;
    readonly baseTime: number;
    readonly frames: readonly FrameCount[];
  } | null;
}

const behindStatement = {
  name: "log_batches_behind",
  text: `SELECT p.topic, p.partition, p.next_offset AS "nextOffset",
      (SELECT COALESCE(max(b.next_offset), 0) FROM log_batches b
        WHERE b.topic = p.topic AND b.partition = p.partition AND b.next_offset > p.next_offset) AS "countedTo",
      (SELECT COALESCE(sum(b.records), 0)::bigint FROM log_batches b
        WHERE b.topic = p.topic AND b.partition = p.partition AND b.next_offset > p.next_offset AND b.first_offset >= p.next_offset) AS records,
      (SELECT json_build_object('firstOffset', b.first_offset, 'baseTime', b.base_time, 'frames', b.frames) FROM log_batches b
        WHERE b.topic = p.topic AND b.partition = p.partition AND b.next_offset > p.next_offset ORDER BY b.next_offset LIMIT 1) AS head
    FROM unnest($1::text[], $2::int[], $3::bigint[]) AS p (topic, partition, next_offset)`,
};

/** Returns what is behind each position, in the order of the positions. */
export async function readBehind(session: Session, places: readonly OffsetOf[]): Promise<Behind[]> {
  if (places.length === 0) return [];
  const rows = await session.query<Omit<Behind, "head"> & { head: string | null }>(
    behindStatement,
    positionArrays(places),
  );
  return rows.map((row) => ({ ...row, head: row.head === null ? null : parse(row.head) }));
}

/** JSON that Postgres made of our own rows. */
function parse<Value>(text: string): Value {
  const value: Value = JSON.parse(text);
  return value;
}

function positionArrays(places: readonly OffsetOf[]): string[] {
  return [
    textArray(places, (position) => position.topic),
    plain(places, (place) => place.partition),
    plain(places, (place) => place.nextOffset),
  ];
}

function keys(rows: readonly AccountingKey[]): string[] {
  return [plain(rows, (row) => row.account), plain(rows, (row) => row.hour), textArray(rows, (row) => row.operation)];
}

function plain<Row>(rows: readonly Row[], of: (row: Row) => number): string {
  return plainArray(rows, of);
}
