import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** A file that was uploaded for an import, or the plain copy of one. */
export interface Upload {
  /** 24 hex characters. */
  readonly id: string;
  readonly account: number;
  readonly name: string | null;
  readonly bytes: number;
  /** Hex; empty until the file was received. */
  readonly sha256: string;
  /** The import that took it. */
  readonly job: string | null;
  /** It was made of another one by its job, and goes with that job's end. */
  readonly isCopy: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface UploadOfAccount extends Upload {
  /** Names its folder. */
  readonly accountId: string;
}

const COLUMNS = `u.id, u.account, u.name, u.bytes, u.sha256, u.job, u.is_copy AS "isCopy", u.created_at AS "createdAt"`;
const insertStatement = {
  name: "uploads_insert",
  text: `INSERT INTO uploads (id, account, name, bytes, sha256, job, is_copy, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (account, id) DO UPDATE SET bytes = EXCLUDED.bytes, sha256 = EXCLUDED.sha256`,
};
const readStatement = {
  name: "uploads_read",
  text: `SELECT ${COLUMNS} FROM uploads u WHERE account = $1 AND id = $2`,
};
const takeStatement = {
  name: "uploads_take",
  text: `UPDATE uploads u SET job = $3 WHERE account = $1 AND id = $2 AND NOT is_copy RETURNING ${COLUMNS}`,
};
const usageStatement = {
  name: "uploads_usage",
  text: "SELECT COALESCE(sum(bytes), 0)::bigint AS bytes FROM uploads WHERE account = $1",
};
const staleStatement = {
  name: "uploads_stale",
  text: `SELECT ${COLUMNS}, a.id AS "accountId" FROM uploads u JOIN intake.accounts a ON a.number = u.account
    LEFT JOIN jobs j ON j.id = u.job
    WHERE CASE WHEN u.job IS NULL THEN u.created_at < $1 WHEN u.is_copy THEN j.id IS NULL OR j.ended_at IS NOT NULL
      ELSE j.id IS NULL OR j.ended_at < $2 END
    ORDER BY u.created_at LIMIT $3`,
};
const idleStatement = {
  name: "uploads_idle",
  text: `SELECT ${COLUMNS}, a.id AS "accountId" FROM uploads u JOIN intake.accounts a ON a.number = u.account
    LEFT JOIN jobs j ON j.id = u.job
    WHERE u.account = $1 AND u.created_at <= $2 AND u.id > $3 AND (u.job IS NULL OR j.id IS NULL OR j.ended_at IS NOT NULL)
    ORDER BY u.id LIMIT 1`,
};
const lockUnfinishedStatement = {
  name: "uploads_lock_unfinished",
  text: "SELECT FROM uploads WHERE account = $1 AND id = $2 AND sha256 = '' FOR UPDATE",
};
const deleteStatement = { name: "uploads_delete", text: "DELETE FROM uploads WHERE account = $1 AND id = $2" };

/** One at a time of each account: two processes that count at once would each miss what the other adds. */
const lockCountStatement = {
  name: "uploads_lock_count",
  text: "SELECT FROM pg_advisory_xact_lock(hashtext('uploads'), $1)",
};
/** Time after which an upload that nobody counts any more is not under way: its process is gone. */
const UNCOUNTED_SECONDS = 60;
const othersStatement = {
  name: "uploads_others",
  text: `SELECT COALESCE(sum(bytes), 0)::bigint AS kept,
      COALESCE(sum(bytes) FILTER (WHERE sha256 = '' AND received_at > now() - interval '${UNCOUNTED_SECONDS} s'), 0)::bigint AS "underWay"
    FROM uploads WHERE account = $1 AND id <> $2`,
};
const countStatement = {
  name: "uploads_count",
  text: "UPDATE uploads SET bytes = $3, received_at = now() WHERE account = $1 AND id = $2 AND sha256 = ''",
};

/** Limits of an account's uploads, over all processes that receive some. */
export interface UploadLimits {
  /** Bytes of all of them. */
  readonly keptMax: number;
  /** Bytes of those that are being received. */
  readonly underWayMax: number;
}

/**
 * Counts the bytes of an upload that have come, once for all processes. To be called at least every half minute while it comes.
 * @returns the limit that they would pass; nothing is counted then.
 */
export function countUpload(
  postgres: Postgres,
  { account, id, bytes }: Pick<Upload, "account" | "id" | "bytes">,
  { keptMax: storedMax, underWayMax }: UploadLimits,
): Promise<keyof UploadLimits | undefined> {
  return postgres.transaction(async (transaction) => {
    await transaction.query(lockCountStatement, [account]);
    const [others] = await transaction.query<{ kept: number; underWay: number }>(othersStatement, [account, id]);
    const { kept: stored = 0, underWay = 0 } = others ?? {};
    if (stored + bytes > storedMax) return "keptMax";
    if (underWay + bytes > underWayMax) return "underWayMax";
    await transaction.execute(countStatement, [account, id, bytes]);
    return undefined;
  });
}

export async function insertUpload(session: Session, upload: Upload): Promise<void> {
  const { id, account, name, bytes, sha256, job, isCopy, createdAt } = upload;
  await session.execute(insertStatement, [id, account, name, bytes, sha256, job, isCopy, createdAt]);
}

export async function readUpload(session: Session, account: number, id: string): Promise<Upload | undefined> {
  const [row] = await session.query<Upload>(readStatement, [account, id]);
  return row;
}

/** Keeps the upload for a job: until 24 h after its end. The latest job that takes it holds it. @returns undefined when it is gone. */
export async function takeUpload(
  transaction: Transaction,
  { account, id, job }: { readonly account: number; readonly id: string; readonly job: string },
): Promise<Upload | undefined> {
  const [row] = await transaction.query<Upload>(takeStatement, [account, id, job]);
  return row;
}

/**
 * Locks an upload that is not received. A transaction that completes the row is waited for, so that one whose answer was lost is seen too.
 * @returns whether there is such a row.
 */
export async function lockUnfinishedUpload(
  transaction: Transaction,
  { account, id }: Pick<Upload, "account" | "id">,
): Promise<boolean> {
  return (await transaction.query(lockUnfinishedStatement, [account, id])).length > 0;
}

/** Bytes of all files that are kept for the account's imports. */
export async function readUploadedBytes(session: Session, account: number): Promise<number> {
  const [row] = await session.query<{ bytes: number }>(usageStatement, [account]);
  return row?.bytes ?? 0;
}

/** Uploads that nobody took since `unusedBefore`, those whose job ended before `endedBefore`, and copies whose job is over. */
export function staleUploads(
  session: Session,
  { unusedBefore, endedBefore, rowsMax }: { unusedBefore: number; endedBefore: number; rowsMax: number },
): Promise<UploadOfAccount[]> {
  return session.query(staleStatement, [unusedBefore, endedBefore, rowsMax]);
}

/** The account's next upload in order of id that no running job reads, of before `until`. */
export async function nextIdleUpload(
  session: Session,
  { account, until, after }: { readonly account: number; readonly until: number; readonly after: string },
): Promise<UploadOfAccount | undefined> {
  const [row] = await session.query<UploadOfAccount>(idleStatement, [account, until, after]);
  return row;
}

export async function deleteUpload(session: Session, { account, id }: Pick<Upload, "account" | "id">): Promise<void> {
  await session.execute(deleteStatement, [account, id]);
}
