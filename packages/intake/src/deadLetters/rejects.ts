import type { RejectKey, RejectRow, RejectStatus } from "@headwater/contracts";
import { jsonTexts, plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { deletePieces } from "@headwater/postgres/connection/oldRows";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

const upsertStatement = {
  name: "rejects_upsert",
  text: `INSERT INTO rejects AS j (account, record_id, request_id, operation, topic, partition, log_offset, place, item_index, status, code,
      path, message, payload, version, received_at, rejected_at, attempts, due_at, redrive_of, quarantined_by, history)
    SELECT account, record_id, request_id, operation, topic, partition, log_offset, place, item_index, status, code,
      path, message, payload::json, version, received_at, rejected_at, attempts, due_at, redrive_of, quarantined_by,
      jsonb_build_array(jsonb_build_object('at', rejected_at, 'what', status, 'code', code))
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::bigint[], $8::int[], $9::int[], $10::text[],
        $11::text[], $12::text[], $13::text[], string_to_array($14, E'\\x1f'), $15::uuid[], $16::bigint[], $17::bigint[], $18::int[], $19::bigint[], $20::text[], $21::text[])
      AS r (account, record_id, request_id, operation, topic, partition, log_offset, place, item_index, status, code,
        path, message, payload, version, received_at, rejected_at, attempts, due_at, redrive_of, quarantined_by)
    ORDER BY account, record_id
    ON CONFLICT (account, record_id) DO UPDATE SET status = EXCLUDED.status, code = EXCLUDED.code, path = EXCLUDED.path,
      message = EXCLUDED.message, payload = EXCLUDED.payload, rejected_at = EXCLUDED.rejected_at, attempts = EXCLUDED.attempts, due_at = EXCLUDED.due_at,
      quarantined_by = EXCLUDED.quarantined_by, closed_at = NULL,
      history = j.history || jsonb_build_object('at', EXCLUDED.rejected_at, 'what', EXCLUDED.status, 'code', EXCLUDED.code)`,
};

/**
 * Stores one row a record: one that is refused again after a redrive keeps its row, its first place in the log, and a line in its
 * history; of two with one id, which only a forged frame holds, the first is kept. NUL, which Postgres cannot store, is replaced.
 */
export async function upsertRejects(transaction: Transaction, input: readonly RejectRow[]): Promise<void> {
  if (input.length === 0) return;
  const rows = oneForEachRecord(input);
  const text = (of: (row: RejectRow) => string | null) =>
    textArray(rows, (row) => of(row)?.replaceAll("\0", "\ufffd") ?? null);
  const plain = (of: (row: RejectRow) => number | null) => plainArray(rows, of);
  await transaction.execute(upsertStatement, [
    plain((row) => row.account),
    text((row) => row.recordId),
    text((row) => row.requestId),
    text((row) => row.operation),
    text((row) => row.topic),
    plain((row) => row.partition),
    plain((row) => row.logOffset),
    plain((row) => row.place),
    plain((row) => row.itemIndex),
    text((row) => row.status),
    text((row) => row.code),
    text((row) => row.path),
    text((row) => row.message),
    jsonTexts(rows, (row) => row.payload),
    text((row) => row.version),
    plain((row) => row.receivedAt),
    plain((row) => row.rejectedAt),
    plain((row) => row.attempts),
    plain((row) => row.dueAt),
    text((row) => row.redriveOf ?? null),
    text((row) => row.quarantinedBy ?? null),
  ]);
}

function oneForEachRecord(rows: readonly RejectRow[]): readonly RejectRow[] {
  const byRecord = new Map(rows.toReversed().map((row) => [`${row.account}:${row.recordId}`, row]));
  return byRecord.size === rows.length ? rows : [...byRecord.values()].toReversed();
}

const COLUMNS = `account, record_id AS "recordId", request_id AS "requestId", operation, topic, partition, log_offset AS "logOffset", place,
  item_index AS "itemIndex", status, code, path, message, payload, version, received_at AS "receivedAt", rejected_at AS "rejectedAt",
  attempts, due_at AS "dueAt"`;
const dueStatement = {
  name: "rejects_due",
  text: `SELECT ${COLUMNS} FROM rejects WHERE status = 'parked' AND due_at <= $1 ORDER BY due_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
};
const rescheduleStatement = {
  name: "rejects_reschedule",
  text: `UPDATE rejects j SET due_at = $3 FROM unnest($1::int[], $2::text[]) AS r (account, record_id)
    WHERE j.account = r.account AND j.record_id = r.record_id AND j.status = 'parked'`,
};
const resolveStatement = {
  name: "rejects_settle",
  text: `UPDATE rejects j SET status = r.status, due_at = NULL, closed_at = CASE r.status WHEN 'open' THEN NULL ELSE $5::bigint END, code = CASE r.code WHEN '' THEN j.code ELSE r.code END,
      history = j.history || jsonb_build_object('at', $5::bigint, 'what', r.status, 'code', r.code)
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) AS r (account, record_id, status, code)
    WHERE j.account = r.account AND j.record_id = r.record_id AND j.status IN ('open', 'parked', 'redriven')`,
};
const lockStatement = {
  name: "rejects_lock",
  text: `SELECT account, record_id AS "recordId", status, attempts, redrive, redrive_outcome AS "redriveOutcome", quarantined_by AS "quarantinedBy"
    FROM unnest($1::int[], $2::text[]) AS k (account, record_id) JOIN rejects j USING (account, record_id) ORDER BY account, record_id FOR NO KEY UPDATE OF j`,
};
const statusesStatement = {
  name: "rejects_statuses",
  text: `SELECT account, record_id AS "recordId", status FROM unnest($1::int[], $2::text[]) AS k (account, record_id)
    JOIN rejects j USING (account, record_id)`,
};
const positionsStatement = {
  name: "rejects_places",
  text: `SELECT log_offset AS "logOffset", place FROM rejects r
    WHERE topic = $1 AND partition = $2 AND log_offset >= $3 AND log_offset < $4
      AND NOT EXISTS (SELECT FROM losses l WHERE l.topic = $1 AND l.partition = $2 AND r.log_offset >= l.first_offset
        AND to_timestamp(r.rejected_at / 1000.0) < l.adopted_at)
    ORDER BY log_offset, place`,
};

/** A refused record that comes again: what may still become of it. */
export interface LockedReject extends RejectKey {
  readonly status: RejectStatus;
  readonly attempts: number;
  /** The redrive that took it. */
  readonly redrive: string | null;
  /** Outcome of the record that the redrive wrote; null until it came. */
  readonly redriveOutcome: string | null;
  /** The group that could not write it. */
  readonly quarantinedBy: string | null;
}

/** The rows of records that come again, locked. */
export async function lockRejects(transaction: Transaction, keys: readonly RejectKey[]): Promise<LockedReject[]> {
  return keys.length === 0 ? [] : transaction.query(lockStatement, keyArrays(keys));
}

/** Reads the outcomes of records that were refused at some time; those that never were are not among them. */
export async function readRejectStatuses(
  session: Session,
  keys: readonly RejectKey[],
): Promise<(RejectKey & { readonly status: RejectStatus })[]> {
  return keys.length === 0 ? [] : session.query(statusesStatement, keyArrays(keys));
}

/** Positions in the log, from `from` up to `to` (excluded), of records that were refused. */
export function readRejectPositions(
  session: Session,
  range: { readonly topic: string; readonly partition: number; readonly from: number; readonly to: number },
): Promise<{ readonly logOffset: number; readonly place: number }[]> {
  return session.query(positionsStatement, [range.topic, range.partition, range.from, range.to]);
}

/** Parked rows whose time has come, locked; those that another process holds are left out. */
export function takeDueRejects(transaction: Transaction, nowMs: number, rowsMax: number): Promise<RejectRow[]> {
  return transaction.query<Omit<RejectRow, "redriveOf" | "quarantinedBy">>(dueStatement, [nowMs, rowsMax]);
}

/** Parked rows that are on their way again: asked for again at `dueAt` should their outcome not come. @returns how many. */
export async function rescheduleRejects(session: Session, keys: readonly RejectKey[], dueAt: number): Promise<number> {
  return keys.length === 0 ? 0 : session.execute(rescheduleStatement, [...keyArrays(keys), dueAt]);
}

export interface RejectOutcome extends RejectKey {
  readonly status: Exclude<RejectStatus, "parked">;
  /** Code of the outcome, such as that of a skip; may be empty. */
  readonly code: string;
}

/** Outcome of the record that a redrive wrote for a refused one. */
export interface RedriveOutcome extends RejectKey {
  readonly outcome: RejectOutcome["status"] | "rejected" | "parked";
}

const redrivenStatement = {
  name: "rejects_redriven",
  text: `UPDATE rejects j SET redrive_outcome = r.outcome,
      history = j.history || jsonb_build_object('at', $4::bigint, 'what', r.outcome, 'by', j.redrive)
    FROM unnest($1::int[], $2::text[], $3::text[]) AS r (account, record_id, outcome)
    WHERE j.account = r.account AND j.record_id = r.record_id AND j.status = 'redriven' AND j.redrive_outcome IS NULL`,
};

/** The records that stand for these were dealt with: whatever else the log holds of them is a copy. @param at milliseconds since 1970. */
export async function noteRedriven(
  transaction: Transaction,
  outcomes: readonly RedriveOutcome[],
  at: number,
): Promise<void> {
  if (outcomes.length === 0) return;
  const kinds = textArray(outcomes, ({ outcome }) => outcome);
  await transaction.execute(redrivenStatement, [...keyArrays(outcomes), kinds, at]);
}

const redriveFailedStatement = {
  name: "rejects_redrive_failed",
  text: `UPDATE rejects j SET redrive_outcome = 'rejected',
      history = j.history || jsonb_build_object('at', $3::bigint, 'what', 'rejected', 'by', j.redrive)
    FROM unnest($1::int[], $2::text[]) AS r (account, record_id)
    WHERE j.account = r.account AND j.record_id = r.record_id AND j.status = 'redriven'`,
};

/** Redriven records that were applied and then quarantined: their dead letters say so. @param at milliseconds since 1970. */
export async function noteRedriveFailed(
  transaction: Transaction,
  keys: readonly RejectKey[],
  at: number,
): Promise<void> {
  if (keys.length > 0) await transaction.execute(redriveFailedStatement, [...keyArrays(keys), at]);
}

/** The end of open, parked or redriven rows; one that has its end already keeps it. @param at milliseconds since 1970. */
export async function resolveRejects(session: Session, outcomes: readonly RejectOutcome[], at: number): Promise<void> {
  if (outcomes.length === 0) return;
  await session.execute(resolveStatement, [
    ...keyArrays(outcomes),
    textArray(outcomes, (outcome) => outcome.status),
    textArray(outcomes, (outcome) => outcome.code),
    at,
  ]);
}

const deleteStatement = {
  name: "rejects_delete",
  text: `DELETE FROM rejects WHERE (account, record_id) IN (
      SELECT account, record_id FROM rejects
      WHERE closed_at < $1 AND status = ANY ($2::text[])
        AND NOT (status = 'skipped' AND EXISTS (SELECT FROM redrives r WHERE r.id = request_id)) ORDER BY closed_at LIMIT $3 FOR UPDATE SKIP LOCKED)`,
};

/** Deletes rows in one of the given ends since before then, piece by piece; those that are open or parked are never meant. @returns how many. */
export function deleteClosedRejects(
  session: Session,
  closed: {
    readonly statuses: readonly Exclude<RejectStatus, "open" | "parked">[];
    readonly before: number;
  },
): Promise<number> {
  const statuses = textArray(closed.statuses, (status) => status);
  return deletePieces((rowsMax) => session.execute(deleteStatement, [closed.before, statuses, rowsMax]));
}

function keyArrays(keys: readonly RejectKey[]): string[] {
  return [plainArray(keys, (key) => key.account), textArray(keys, (key) => key.recordId)];
}
