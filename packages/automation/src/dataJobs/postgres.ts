import { dataJobTargets } from "@headwater/contracts";
import { textArray } from "@headwater/postgres/connection/arrays";
import { createConditions } from "@headwater/postgres/connection/conditions";
import { keysetOrder } from "@headwater/postgres/connection/keyset";
import { createResourceTable, type RowOf } from "@headwater/postgres/connection/resourceTable";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { dataJobKinds, type RunStatus } from "./dataJob.ts";

/** Data jobs, in order of (time of creation, key) or of (name, key). */
export const dataJobs = createResourceTable({
  name: "data_jobs",
  key: "key",
  alias: "daId",
  members: {
    daId: "text",
    name: "text",
    kind: dataJobKinds,
    cron: "text | null",
    timezone: "text | null",
    apiTrigger: "boolean",
    /** JSON text; secrets are sealed. */
    source: "text | null",
    /** JSON text. */
    mapping: "text",
    targetType: dataJobTargets,
    targetKey: "text | null",
    /** JSON text; secrets are sealed. */
    destination: "text | null",
    enabled: "boolean",
    /** Next tick, milliseconds since 1970. */
    nextAt: "integer | null",
  },
  derived: { lastRunMarker: "text | null", status: "text" },
  columns: { status: "data_job_status(account, da_id)" },
});

export type StoredDataJob = RowOf<typeof dataJobs>;

/** Names the runs of a data job. */
export interface RunsOf {
  readonly account: number;
  readonly daId: string;
}

export interface NewRun extends RunsOf {
  readonly marker: string;
  /** Id of its job. */
  readonly job: string;
  /** Tick of the schedule, milliseconds since 1970; null for a run that somebody triggered. */
  readonly tickAt: number | null;
  readonly createdAt: number;
}

/** A run with what its job has come to. */
export interface StoredRun {
  readonly marker: string;
  readonly job: string;
  readonly status: Exclude<RunStatus, "draft">;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly completedItems: number | null;
  /** JSON text. */
  readonly result: string | null;
}

const knownKeysStatement = {
  name: "data_jobs_known_keys",
  text: "SELECT key FROM data_jobs WHERE account = $1 AND key = ANY ($2::text[])",
};
const insertRunStatement = {
  name: "data_job_runs_insert",
  text: `INSERT INTO data_job_runs (account, da_id, marker, job, tick_at, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
};
const startedStatement = {
  name: "data_jobs_started",
  text: "UPDATE data_jobs SET last_run_marker = $3 WHERE account = $1 AND da_id = $2",
};
const moveStatement = {
  name: "data_jobs_move",
  text: "UPDATE data_jobs SET next_at = $3 WHERE account = $1 AND da_id = $2",
};
const RUN_COLUMNS = `marker, job, status, created_at AS "createdAt", started_at AS "startedAt", ended_at AS "endedAt",
  completed_items AS "completedItems", result`;
const RUNS = `SELECT r.account, r.da_id, r.marker, r.job, r.tick_at, r.created_at, data_job_run_status(j.status) AS status, j.started_at, j.ended_at,
  j.completed_items, j.result FROM data_job_runs r LEFT JOIN jobs j ON j.id = r.job`;
const readRunStatement = {
  name: "data_job_runs_read",
  text: `SELECT ${RUN_COLUMNS} FROM (${RUNS} WHERE r.account = $1 AND r.da_id = $2 AND r.marker = $3) AS run`,
};
const latestRunStatement = {
  name: "data_job_runs_latest",
  text: `SELECT ${RUN_COLUMNS} FROM (${RUNS} WHERE r.account = $1 AND r.da_id = $2 ORDER BY r.created_at DESC, r.marker DESC LIMIT 1) AS run`,
};
const openJobsStatement = {
  name: "data_job_runs_open",
  text: `SELECT r.job FROM data_job_runs r JOIN jobs j ON j.id = r.job
    WHERE r.account = $1 AND r.da_id = $2 AND j.status IN ('Scheduled', 'Pending', 'Processing', 'Throttled')`,
};
const deleteRunsStatement = {
  name: "data_job_runs_delete",
  text: "DELETE FROM data_job_runs WHERE account = $1 AND da_id = $2",
};
const deleteOldStatement = {
  name: "data_job_runs_delete_old",
  text: "DELETE FROM data_job_runs r WHERE NOT EXISTS (SELECT FROM jobs j WHERE j.id = r.job)",
};
const dueStatement = {
  name: "data_jobs_due",
  text: `SELECT account, key FROM data_jobs d WHERE next_at <= $1
      AND NOT EXISTS (SELECT FROM data_job_runs r JOIN jobs j ON j.id = r.job WHERE r.account = d.account AND r.da_id = d.da_id
        AND r.tick_at IS NOT NULL AND j.status IN ('Scheduled', 'Pending', 'Processing', 'Throttled'))
    ORDER BY next_at LIMIT $2`,
};
const lockDueStatement = {
  name: "data_jobs_lock_due",
  text: "SELECT key FROM data_jobs WHERE account = $1 AND key = $2 AND next_at <= $3 FOR UPDATE SKIP LOCKED",
};
const tickedStatement = {
  name: "data_job_runs_ticked",
  text: "SELECT marker FROM data_job_runs WHERE account = $1 AND da_id = $2 AND tick_at >= $3 LIMIT 1",
};

/** Returns those of the keys that a data job has. */
export async function knownDataJobs(
  session: Session,
  account: number,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await session.query<{ key: string }>(knownKeysStatement, [account, textArray(keys, (key) => key)]);
  return new Set(rows.map(({ key }) => key));
}

/** Stores a run, whose marker is free: its data job is locked. */
export async function insertRun(transaction: Transaction, run: NewRun): Promise<void> {
  const { account, daId, marker, job, tickAt, createdAt } = run;
  await transaction.execute(insertRunStatement, [account, daId, marker, job, tickAt, createdAt]);
  await transaction.execute(startedStatement, [account, daId, marker]);
}

export async function readRun(
  session: Session,
  { account, daId }: RunsOf,
  marker: string,
): Promise<StoredRun | undefined> {
  const [row] = await session.query<StoredRun>(readRunStatement, [account, daId, marker]);
  return row;
}

/** Reads the run that was started last. */
export async function readLatestRun(session: Session, { account, daId }: RunsOf): Promise<StoredRun | undefined> {
  const [row] = await session.query<StoredRun>(latestRunStatement, [account, daId]);
  return row;
}

/** Returns the jobs of runs that have not ended. */
export async function readOpenJobs(session: Session, { account, daId }: RunsOf): Promise<string[]> {
  return (await session.query<{ job: string }>(openJobsStatement, [account, daId])).map(({ job }) => job);
}

export interface RunsPage {
  readonly direction: "asc" | "desc";
  readonly last?: { readonly createdAt: number; readonly marker: string } | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

/** Pages the runs of a data job by their start. */
export function pageRuns(session: Session, { account, daId }: RunsOf, page: RunsPage): Promise<StoredRun[]> {
  const where = runsOf({ account, daId });
  const last = page.last && [page.last.createdAt, page.last.marker];
  const order = keysetOrder(where, { columns: ["created_at", "marker"], direction: page.direction, last });
  const limits = `LIMIT ${where.bind(page.rowsMax)} OFFSET ${where.bind(page.skip)}`;
  const text = `SELECT ${RUN_COLUMNS} FROM (${RUNS}) AS run WHERE ${where.text()} ORDER BY ${order} ${limits}`;
  return session.query<StoredRun>({ text }, where.values);
}

export async function countRuns(session: Session, of: RunsOf): Promise<number> {
  const where = runsOf(of);
  const text = `SELECT count(*) AS count FROM data_job_runs WHERE ${where.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

function runsOf({ account, daId }: RunsOf) {
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  where.add(`da_id = ${where.bind(daId)}`);
  return where;
}

export async function deleteRuns(transaction: Transaction, { account, daId }: RunsOf): Promise<void> {
  await transaction.execute(deleteRunsStatement, [account, daId]);
}

/** Deletes runs whose jobs are no longer stored. @returns how many. */
export function deleteOldRuns(session: Session): Promise<number> {
  return session.execute(deleteOldStatement);
}

/** Returns recurring data jobs whose tick has come, and that have no run of a tick under way. */
export function dueDataJobs(
  session: Session,
  nowMs: number,
  rowsMax: number,
): Promise<{ readonly account: number; readonly key: string }[]> {
  return session.query<{ account: number; key: string }>(dueStatement, [nowMs, rowsMax]);
}

/** Locks a data job whose tick has come until the transaction ends; undefined when another worker has it. */
export async function lockDueDataJob(
  transaction: Transaction,
  { account, key }: { readonly account: number; readonly key: string },
  nowMs: number,
): Promise<StoredDataJob | undefined> {
  const found = await transaction.query<{ key: string }>(lockDueStatement, [account, key, nowMs]);
  return found.length === 0 ? undefined : dataJobs.read(transaction, { account, key });
}

/** Sets the next tick of a data job that is locked. */
export async function moveDataJob(
  transaction: Transaction,
  { account, daId }: RunsOf,
  nextAt: number | null,
): Promise<void> {
  await transaction.execute(moveStatement, [account, daId, nextAt]);
}

/** Returns whether a tick, or a later one, has its run. */
export async function hasRunSince(session: Session, { account, daId }: RunsOf, tickAt: number): Promise<boolean> {
  return (await session.query<{ marker: string }>(tickedStatement, [account, daId, tickAt])).length > 0;
}
