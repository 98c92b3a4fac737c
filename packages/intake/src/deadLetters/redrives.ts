import {
  insertLogEntry,
  LOG_COLUMNS,
  logSelect,
  logValues,
  type NewLogEntry,
} from "@headwater/api/accountLog/accountLog";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import {
  type DeadLetter,
  type DeadLetterFilters,
  type DeadLetterPosition,
  deadLetterColumns,
  FIRST_POSITION,
} from "./deadLetters.ts";
import { type DeadLetterRefusal, insertRefusals, type RefusingRedrive } from "./redriveRejections.ts";

/** The filters of a selection as a redrive keeps them. */
export type RedriveSelection = Omit<DeadLetterFilters, "account" | "statuses">;

/** Records that one redrive wrote to one partition so far: its receipt is made of these parts. */
export interface RedrivePart {
  readonly topic: string;
  readonly partition: number;
  readonly firstOffset: number;
  readonly lastOffset: number;
  readonly count: number;
}

export interface NewRedrive {
  /** 24 hex characters; also the request id of the records it writes. */
  readonly id: string;
  readonly account: number;
  readonly selection: RedriveSelection;
  /** A JSON Patch as JSON text; null = the records as they were. */
  readonly patch: string | null;
  /** Scopes of the caller's key, for validation. */
  readonly scopes: readonly string[];
  readonly madeBy: string;
  /** Milliseconds since 1970, as the other times. */
  readonly createdAt: number;
  /** Number of dead letters that the selection held when it was made. */
  readonly selected: number;
}

export interface Redrive extends NewRedrive {
  readonly startedAt: number | null;
  /** All its records are in the log. */
  readonly writtenAt: number | null;
  /** It takes no more dead letters since then. */
  readonly canceledAt: number | null;
  readonly cursor: DeadLetterPosition;
  /** Dead letters marked as its own. */
  readonly taken: number;
  /** Dead letters that validation refused: they stay open. */
  readonly refused: number;
  /** Number of those taken that are in the log. */
  readonly published: number;
  readonly parts: readonly RedrivePart[];
}

interface RedriveRow extends Omit<Redrive, "selection" | "cursor" | "parts"> {
  readonly selection: string;
  readonly parts: string;
  readonly cursorVersion: string;
  readonly cursorRecord: string;
}

/** Name by which lists, filters and logs know redrives, which are jobs as well. */
export const REDRIVE_JOB = "RedriveDeadLetters";

const COLUMNS = `id, account, selection, patch, scopes, made_by AS "madeBy", created_at AS "createdAt", started_at AS "startedAt",
  written_at AS "writtenAt", canceled_at AS "canceledAt", selected, cursor_version AS "cursorVersion", cursor_record AS "cursorRecord", taken, refused, published, parts`;

/**
 * Returns whether redrive `r` is done: all its dead letters are in the log and each has its outcome, which is what its receipt says. The outcome
 * is written in the transaction that applies the record; a record that waits for its contact has none.
 */
export const REDRIVE_IS_DONE = `(r.written_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM rejects j WHERE j.redrive = r.id AND j.redrive_outcome IS NULL)
  AND NOT EXISTS (SELECT FROM rejects j WHERE j.account = r.account AND j.request_id = r.id AND j.status = 'parked'))`;

const cancelStatement = {
  name: "redrives_cancel",
  text: `UPDATE redrives r SET canceled_at = COALESCE(canceled_at, GREATEST($3, started_at)) WHERE account = $1 AND id = $2
    AND (canceled_at IS NOT NULL OR NOT ${REDRIVE_IS_DONE}) RETURNING id, account, made_by AS "madeBy", canceled_at AS "canceledAt"`,
};
const createStatement = {
  name: "redrives_create",
  text: `WITH logged AS (INSERT INTO account_log (${LOG_COLUMNS}) SELECT ${logSelect(9)})
    INSERT INTO redrives (id, account, selection, patch, scopes, made_by, created_at, selected)
    VALUES ($1, $2, $3, $4, $5::text[], $6, $7, $8)`,
};
const readStatement = {
  name: "redrives_read",
  text: `SELECT ${COLUMNS} FROM redrives WHERE account = $1 AND id = $2`,
};
const listStatement = {
  name: "redrives_list",
  text: `SELECT ${COLUMNS} FROM redrives WHERE account = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
};
const claimStatement = {
  name: "redrives_claim",
  text: `SELECT ${COLUMNS} FROM redrives WHERE written_at IS NULL AND (lease_until IS NULL OR lease_until <= $1)
    ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
};
const progressStatement = {
  name: "redrives_progress",
  text: `UPDATE redrives SET started_at = COALESCE(started_at, $2), written_at = $3, cursor_version = $4, cursor_record = $5, taken = $6,
      refused = $7, lease_until = $8 WHERE id = $1`,
};
const publishedStatement = {
  name: "redrives_published",
  text: "UPDATE redrives SET published = $3, parts = $4, lease_until = NULL WHERE id = $1 AND published = $2",
};
const deadLettersStatement = {
  name: "redrives_letters",
  text: `SELECT ${deadLetterColumns} FROM rejects j WHERE redrive = $1 AND redrive_index >= $2 ORDER BY redrive_index LIMIT $3
    FOR NO KEY UPDATE`,
};
const takeStatement = {
  name: "redrives_take",
  text: `UPDATE rejects j SET status = 'redriven', closed_at = $4, redrive = $5, redrive_index = r.index, redrive_outcome = NULL,
      history = j.history || jsonb_build_object('at', $4::bigint, 'what', 'redriven', 'by', $6::text, 'jobId', $5::text)
    FROM unnest($1::text[], $2::int[]) AS r (record_id, index) WHERE j.account = $3 AND j.record_id = r.record_id AND j.status = 'open'`,
};
const refuseStatement = {
  name: "redrives_refuse",
  text: `UPDATE rejects j SET status = 'open', closed_at = NULL, redrive = NULL, redrive_index = NULL,
      history = j.history || jsonb_build_object('at', $5::bigint, 'what', 'refused', 'code', r.code, 'reason', r.message, 'by', $6::text)
    FROM unnest($1::text[], $2::text[], $3::text[]) AS r (record_id, code, message)
    WHERE j.account = $4 AND j.record_id = r.record_id AND (j.status = 'open' OR j.status = 'redriven' AND j.redrive_outcome IS NULL)`,
};
const deleteStatement = { name: "redrives_delete", text: "DELETE FROM redrives WHERE written_at < $1" };

/** Stores a redrive, and with it the entry of its start in the account's log. */
export async function createRedrive(session: Session, created: NewRedrive): Promise<void> {
  const { id, account, selection, patch, scopes, madeBy: createdBy, createdAt, selected } = created;
  const texts = textArray(scopes, (scope) => scope);
  const values = [id, account, JSON.stringify(selection), patch, texts, createdBy, createdAt, selected];
  const start = entryOf(created, { at: createdAt, message: "was started", status: "Pending", details: { selected } });
  await session.execute(createStatement, [...values, ...logValues(start)]);
}

interface EntryText extends Pick<NewLogEntry, "at" | "details"> {
  readonly message: string;
  readonly status: string;
}

function entryOf({ id, account, madeBy }: Pick<Redrive, "id" | "account" | "madeBy">, text: EntryText): NewLogEntry {
  const message = `${REDRIVE_JOB} ${text.message}.`;
  const of = { account, actor: madeBy, jobId: id };
  return { ...text, ...of, category: "Jobs", level: "Info", action: REDRIVE_JOB, message };
}

export async function readRedrive(session: Session, account: number, id: string): Promise<Redrive | undefined> {
  const [row] = await session.query<RedriveRow>(readStatement, [account, id]);
  return row === undefined ? undefined : toRedrive(row);
}

/** Cancels a redrive. What it has taken is written all the same. @returns false for one that is done, and for none. */
export async function cancelRedrive(
  transaction: Transaction,
  { account, id, at }: { readonly account: number; readonly id: string; readonly at: number },
): Promise<boolean> {
  const [canceled] = await transaction.query<Pick<Redrive, "id" | "account" | "madeBy" | "canceledAt">>(
    cancelStatement,
    [account, id, at],
  );
  if (canceled === undefined) return false;
  const isNew = canceled.canceledAt === at;
  if (isNew)
    await insertLogEntry(transaction, entryOf(canceled, { at, message: "ended: Canceled", status: "Canceled" }));
  return true;
}

/** Lists the redrives of an account, the newest first. */
export async function listRedrives(session: Session, account: number, rowsMax: number): Promise<Redrive[]> {
  return (await session.query<RedriveRow>(listStatement, [account, rowsMax])).map(toRedrive);
}

/** Locks the oldest redrive that no process is working on. */
export async function claimRedrive(transaction: Transaction, nowMs: number): Promise<Redrive | undefined> {
  const [row] = await transaction.query<RedriveRow>(claimStatement, [nowMs]);
  return row === undefined ? undefined : toRedrive(row);
}

export interface RedriveProgress
  extends Pick<Redrive, "account" | "madeBy" | "canceledAt" | "writtenAt" | "cursor" | "taken" | "refused"> {
  /** Nobody else goes on with it before; null = at once. */
  readonly leaseUntil: number | null;
}

/** Stores the progress of a locked redrive. One whose records are all in the log gets the entry of its end. */
export async function setRedriveProgress(
  transaction: Transaction,
  { id, at }: { readonly id: string; readonly at: number },
  to: RedriveProgress,
): Promise<void> {
  const { writtenAt, cursor, taken, refused, leaseUntil } = to;
  const values = [id, at, writtenAt, cursor.version, cursor.recordId, taken, refused, leaseUntil];
  await transaction.execute(progressStatement, values);
  if (writtenAt === null || to.canceledAt !== null) return;
  const end = entryOf(
    { ...to, id },
    { at, message: "ended: Done", status: "Done", details: { redriven: taken, refused } },
  );
  await insertLogEntry(transaction, { ...end, level: refused > 0 ? "Warning" : "Info" });
}

/** Notes how many dead letters are in the log. @returns false when another process has noted more since. */
export async function setRedrivePublished(
  session: Session,
  { id, published }: Pick<Redrive, "id" | "published">,
  to: Pick<Redrive, "published" | "parts">,
): Promise<boolean> {
  return (await session.execute(publishedStatement, [id, published, to.published, JSON.stringify(to.parts)])) === 1;
}

/** Locks dead letters of a redrive, in order, from the position `from`. */
export function deadLettersOfRedrive(
  transaction: Transaction,
  { id, from, rowsMax }: { readonly id: string; readonly from: number; readonly rowsMax: number },
): Promise<DeadLetter[]> {
  return transaction.query(deadLettersStatement, [id, from, rowsMax]);
}

/** Marks open dead letters, which are locked, as taken by a redrive, with their positions from `taken` on. */
export async function takeDeadLetters(
  transaction: Transaction,
  { id, account, taken, madeBy }: Redrive,
  { recordIds, at }: { readonly recordIds: readonly string[]; readonly at: number },
): Promise<void> {
  if (recordIds.length === 0) return;
  const indexes = plainArray(
    recordIds.map((_id, index) => taken + index),
    (index) => index,
  );
  const values = [textArray(recordIds, (recordId) => recordId), indexes, account, at, id, madeBy];
  await transaction.execute(takeStatement, values);
}

/** Reopens dead letters that validation refused, with the reason in their history and among the rejections of the redrive. */
export async function refuseDeadLetters(
  transaction: Transaction,
  redrive: RefusingRedrive,
  { refusals, at }: { readonly refusals: readonly DeadLetterRefusal[]; readonly at: number },
): Promise<void> {
  if (refusals.length === 0) return;
  await transaction.execute(refuseStatement, [
    textArray(refusals, ({ recordId }) => recordId),
    textArray(refusals, ({ code }) => code),
    textArray(refusals, ({ path, message }) => (path === "" ? message : `${path}: ${message}`)),
    redrive.account,
    at,
    redrive.id,
  ]);
  await insertRefusals(transaction, redrive, { refusals, at });
}

/** Deletes redrives that were written before the time, in milliseconds since 1970. @returns how many. */
export function deleteRedrives(session: Session, before: number): Promise<number> {
  return session.execute(deleteStatement, [before]);
}

function toRedrive({ selection, parts, cursorVersion, cursorRecord, ...rest }: RedriveRow): Redrive {
  const filters: RedriveSelection = JSON.parse(selection);
  const written: RedrivePart[] = JSON.parse(parts);
  const cursor = { ...FIRST_POSITION, version: cursorVersion, recordId: cursorRecord };
  return { ...rest, selection: filters, parts: written, cursor };
}
