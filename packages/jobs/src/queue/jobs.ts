import {
  insertLogEntry,
  LOG_COLUMNS,
  logSelect,
  logValues,
  type NewLogEntry,
} from "@headwater/api/accountLog/accountLog";
import { publishEvents } from "@headwater/api/webhookEvents/publishEvents";
import {
  emptyJobResult,
  isFinalJob,
  type JobResult,
  type JobStatus,
  type LogLevel,
  logCategoryOfJob,
  toTimestamp,
} from "@headwater/contracts";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { hasRowsInLog } from "./importsUnderWay.ts";
import { keepLeftovers } from "./jobLeftovers.ts";
import { releaseNotices } from "./jobNotices.ts";

export interface NewJob {
  /** 24 hex characters. */
  readonly id: string;
  readonly account: number;
  readonly name: string;
  readonly input: object;
  readonly totalItems: number;
  readonly metadata: object;
  /** Secrets that its request gave, sealed. They are deleted when it ends. */
  readonly secrets?: string | null | undefined;
  /** Id of the key that asked for it. */
  readonly madeBy: string;
  /** Milliseconds since 1970, as the other times. */
  readonly createdAt: number;
}

export interface Job extends NewJob {
  readonly status: JobStatus;
  /** Value that its kind keeps from step to step; undefined before the first. */
  readonly progress: unknown;
  readonly completedItems: number;
  readonly result: JobResult;
  readonly statistic: object | undefined;
  readonly attempt: number;
  readonly begunInVain: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** It was canceled, and its kind still counts what becomes of its rows. */
  readonly isCounting: boolean;
}

export interface JobRow extends Omit<Job, "input" | "progress" | "result" | "metadata" | "statistic"> {
  readonly input: string;
  readonly progress: string | null;
  readonly result: string;
  readonly metadata: string;
  readonly statistic: string | null;
}

export const jobColumns = `id, account, name, status, input, progress, total_items AS "totalItems", completed_items AS "completedItems",
  result, metadata, statistic, secrets, attempt, begun_in_vain AS "begunInVain", made_by AS "madeBy", created_at AS "createdAt",
  started_at AS "startedAt", ended_at AS "endedAt", is_counting AS "isCounting"`;

const insertStatement = {
  name: "jobs_insert",
  text: `WITH logged AS (INSERT INTO account_log (${LOG_COLUMNS}) SELECT ${logSelect(10)})
    INSERT INTO jobs (id, account, name, input, total_items, metadata, made_by, created_at, secrets)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};
const readStatement = {
  name: "jobs_read",
  text: `SELECT ${jobColumns} FROM jobs WHERE account = $1 AND id = $2`,
};
const takeStatement = {
  name: "jobs_take",
  text: `UPDATE jobs SET status = CASE WHEN status IN ('Scheduled', 'Pending') THEN 'Processing' ELSE status END, attempt = attempt + 1, begun_in_vain = begun_in_vain + 1,
      started_at = COALESCE(started_at, $2)
    WHERE id = $1 AND (status IN ('Scheduled', 'Pending', 'Processing', 'Throttled') OR is_counting) RETURNING ${jobColumns}`,
};
const lockStatement = {
  name: "jobs_lock",
  text: `SELECT ${jobColumns} FROM jobs WHERE id = $1 FOR NO KEY UPDATE`,
};
const lockOfAccountStatement = {
  name: "jobs_lock_of_account",
  text: `SELECT ${jobColumns} FROM jobs WHERE account = $1 AND id = $2 FOR NO KEY UPDATE`,
};
const saveStatement = {
  name: "jobs_save",
  text: `UPDATE jobs SET status = $2, progress = $3, total_items = $4, completed_items = $5, result = $6, metadata = $7,
      statistic = $8, ended_at = $9, is_counting = $10, begun_in_vain = 0, secrets = CASE WHEN $9::bigint IS NULL THEN secrets END WHERE id = $1`,
};
const endStatement = {
  name: "jobs_end",
  text: `WITH left_over AS (${keepLeftovers})
    UPDATE jobs SET status = $2, ended_at = $3, metadata = $4, is_counting = $5, secrets = NULL WHERE id = $1`,
};
const attemptStatement = {
  name: "jobs_attempt",
  text: `SELECT attempt, is_counting AS "isCounting" FROM jobs
    WHERE id = $1 AND (status IN ('Processing', 'Throttled') OR is_counting)`,
};
const runningStatement = {
  name: "jobs_running",
  text: "SELECT progress FROM jobs WHERE id = $1 AND status IN ('Processing', 'Throttled')",
};
const countsStatement = {
  name: "jobs_counts",
  text: `UPDATE jobs SET total_items = $3, completed_items = $4
    WHERE id = $1 AND attempt = $2 AND status IN ('Processing', 'Throttled')`,
};
const metadataStatement = { name: "jobs_metadata", text: "UPDATE jobs SET metadata = $2 WHERE id = $1" };
const scheduledStatement = { name: "jobs_scheduled", text: "UPDATE jobs SET status = 'Scheduled' WHERE id = $1" };
const releasedStatement = {
  name: "jobs_released",
  text: "UPDATE jobs SET status = 'Pending' WHERE id = $1 AND status = 'Scheduled'",
};
const deleteStatement = { name: "jobs_delete", text: "DELETE FROM jobs WHERE ended_at < $1" };

/** Stores a job, and with it the entry of its start in the account's log. */
export async function insertJob(session: Session, job: NewJob): Promise<void> {
  const { id, account, name, input, totalItems, metadata, madeBy: createdBy, createdAt, secrets = null } = job;
  const values = [id, account, name, JSON.stringify(input), totalItems, JSON.stringify(metadata), createdBy, createdAt];
  await session.execute(insertStatement, [...values, secrets, ...logValues(startOf(job))]);
}

/** Makes a job that was stored in this transaction one that starts later. */
export async function scheduleInserted(transaction: Transaction, id: string): Promise<void> {
  await transaction.execute(scheduledStatement, [id]);
}

/** Ends the wait of a scheduled job. */
export async function unscheduleJob(transaction: Transaction, id: string): Promise<void> {
  await transaction.execute(releasedStatement, [id]);
}

export async function readStoredJob(session: Session, account: number, id: string): Promise<Job | undefined> {
  const [row] = await session.query<JobRow>(readStatement, [account, id]);
  return row === undefined ? undefined : toJob(row);
}

/** Returns whether a worker has the job, or gave it back to wait for something. */
export function isRunning({ status, isCounting }: Pick<Job, "status" | "isCounting">): boolean {
  return status === "Processing" || status === "Throttled" || isCounting;
}

/** The attempt that runs a job now; undefined when none does. */
export async function readAttempt(
  session: Session,
  id: string,
): Promise<Pick<Job, "attempt" | "isCounting"> | undefined> {
  const [row] = await session.query<Pick<Job, "attempt" | "isCounting">>(attemptStatement, [id]);
  return row;
}

/** Reads how far the attempt is that runs a job now; undefined when none does. */
export async function readRunning(session: Session, id: string): Promise<Pick<Job, "progress"> | undefined> {
  const [row] = await session.query<Pick<JobRow, "progress">>(runningStatement, [id]);
  return row && { progress: row.progress === null ? undefined : JSON.parse(row.progress) };
}

/** Reports the progress of a running step; nothing for an attempt that is not the latest. */
export async function noteJobCounts(
  session: Session,
  { id, attempt }: Pick<Job, "id" | "attempt">,
  { totalItems, completedItems }: Pick<Job, "totalItems" | "completedItems">,
): Promise<void> {
  await session.execute(countsStatement, [id, attempt, totalItems, completedItems]);
}

/** Takes a job that is not over, or counts on, for a worker: attempts before this one write nothing any more. */
export async function takeJob(session: Session, id: string, nowMs: number): Promise<Job | undefined> {
  const [row] = await session.query<JobRow>(takeStatement, [id, nowMs]);
  return row === undefined ? undefined : toJob(row);
}

/** The job as it is now; nobody else changes it before the transaction ends. */
export async function lockJob(transaction: Transaction, id: string): Promise<Job | undefined> {
  const [row] = await transaction.query<JobRow>(lockStatement, [id]);
  return row === undefined ? undefined : toJob(row);
}

export async function lockJobOf(transaction: Transaction, account: number, id: string): Promise<Job | undefined> {
  const [row] = await transaction.query<JobRow>(lockOfAccountStatement, [account, id]);
  return row === undefined ? undefined : toJob(row);
}

/** Writes what a step came to at `at`; the job is locked. One that is over and counts no more gets the entry of its end. */
export async function saveJob(transaction: Transaction, job: Job, at: number): Promise<void> {
  const { id, status, progress, totalItems, completedItems, result, metadata, statistic, endedAt, isCounting } = job;
  const texts = [JSON.stringify(result), JSON.stringify(metadata), statistic ? JSON.stringify(statistic) : null];
  const cursor = progress === undefined ? null : JSON.stringify(progress);
  const view = [id, status, cursor, totalItems, completedItems, ...texts, endedAt];
  await transaction.execute(saveStatement, [...view, isCounting]);
  if (!isFinalJob(status) || isCounting) return;
  await announceEnd(transaction, job, { status, at });
}

/**
 * Ends a locked job, with the entry of its end: it keeps what it has done so far. A canceled import whose rows are in the log counts on;
 * its entry and its notices wait for its counts.
 */
export async function endJob(transaction: Transaction, job: Job, end: JobEnd): Promise<void> {
  const { status, at } = end;
  const isCounting = status === "Canceled" && hasRowsInLog(job);
  await transaction.execute(endStatement, [job.id, status, at, JSON.stringify(job.metadata), isCounting]);
  if (isCounting) return;
  await announceEnd(transaction, { ...job, status, endedAt: at }, end);
}

/** Announces the end of a job: to those who asked for a notice, to the account's webhooks, and in its log. */
async function announceEnd(transaction: Transaction, job: Job, { status, at }: JobEnd): Promise<void> {
  const { id, account } = job;
  await releaseNotices(transaction, id, at);
  const type = status === "Done" ? "job.done" : "job.failed";
  const ids = { id, jobName: job.name, status };
  // A cancel is the account's own doing.
  if (status !== "Canceled")
    await publishEvents(transaction, { account, nowMs: at }, [
      { type, source: id, at, data: endedJob(job, job.metadata), ids },
    ]);
  await insertLogEntry(transaction, endOf(job, { status, at }));
}

/** Returns a job that has ended as those who are told of its end see it. */
export function endedJob(
  { id, name, status, totalItems, completedItems, result, startedAt, endedAt }: Job,
  metadata: object,
): object {
  const times = { start: timeOf(startedAt), end: timeOf(endedAt) };
  return { id, jobName: name, status, totalItems, completedItems, times, result, metadata };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}

/** Replaces what answers show of a job that is locked, over or not. */
export async function setJobMetadata(
  transaction: Transaction,
  { id, metadata }: Pick<Job, "id" | "metadata">,
): Promise<void> {
  await transaction.execute(metadataStatement, [id, JSON.stringify(metadata)]);
}

/** @returns how many that came to their end before then. */
export function deleteJobs(session: Session, before: number): Promise<number> {
  return session.execute(deleteStatement, [before]);
}

export function toJob({ input, progress, result, metadata, statistic, ...rest }: JobRow): Job {
  const counts: Partial<JobResult> = JSON.parse(result);
  return {
    ...rest,
    input: JSON.parse(input),
    progress: progress === null ? undefined : JSON.parse(progress),
    result: { ...emptyJobResult, ...counts },
    metadata: JSON.parse(metadata),
    statistic: statistic === null ? undefined : JSON.parse(statistic),
  };
}

/** A job as its entries in the account's log show it: its input and metadata are never in them. */
interface LoggedJob {
  readonly id: string;
  readonly account: number;
  readonly name: string;
  readonly madeBy: string;
  readonly createdAt: number;
}

interface JobEnd {
  readonly status: JobStatus;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The entry of a job's start. */
function startOf(job: LoggedJob): NewLogEntry {
  return { ...about(job), at: job.createdAt, level: "Info", message: `${job.name} was started.`, status: "Pending" };
}

/** The entry of a job's end, with its counts. */
function endOf(job: EndedJob, { status, at }: JobEnd): NewLogEntry {
  const code = codeIn(job.metadata);
  const message = `${job.name} ended: ${status}${code === undefined ? "" : ` with ${code}`}.`;
  const details = { ...job.result, ...(code !== undefined && { code }) };
  return { ...about(job), at, level: levelOf(status, job.result), message, status, details };
}

interface EndedJob extends LoggedJob {
  readonly result: JobResult;
  readonly metadata: object;
}

/** Returns the code of the error that a failed job shows; its message may say more than an entry should. */
function codeIn(metadata: object): string | undefined {
  const { error } = { error: undefined, ...metadata };
  const { code } = { code: undefined, ...Object(error) };
  return typeof code === "string" ? code : undefined;
}

function about({ id: jobId, account, name, madeBy: actor }: LoggedJob) {
  return { account, category: logCategoryOfJob(name), action: name, actor, jobId };
}

function levelOf(status: JobStatus, { rejected, error }: JobResult): LogLevel {
  if (status === "Failed") return "Error";
  return rejected + error > 0 ? "Warning" : "Info";
}
