import type { JobStatus } from "@headwater/contracts";
import { REDRIVE_IS_DONE, REDRIVE_JOB } from "@headwater/intake/deadLetters/redrives";
import { type Job, type JobRow, jobColumns, toJob } from "@headwater/jobs/queue/jobs";
import { createConditions } from "@headwater/postgres/connection/conditions";
import type { Session } from "@headwater/postgres/connection/session";

/** Milliseconds since 1970: `from` included, `to` excluded. */
interface Range {
  readonly from?: number;
  readonly to?: number;
}

export interface JobFilters {
  readonly account: number;
  readonly name?: string;
  readonly status?: JobStatus;
  readonly started?: Range;
  readonly ended?: Range;
}

/** A job's position in lists. */
export interface JobPosition {
  readonly createdAt: number;
  readonly id: string;
}

export interface JobsPage {
  readonly after?: JobPosition;
  readonly skip?: number;
  readonly rowsMax: number;
  readonly direction: "asc" | "desc";
}

/** A row of a list: a job, or a redrive of dead letters, which is read by itself. */
export interface ListedJob extends JobPosition {
  readonly kind: "job" | "redrive";
}

/** Both kinds side by side. */
const ALL = `(
  SELECT 'job' AS kind, id, name, status, created_at, started_at, ended_at FROM jobs WHERE account = $1
  UNION ALL
  SELECT 'redrive', id, '${REDRIVE_JOB}',
    CASE WHEN canceled_at IS NOT NULL THEN 'Canceled' WHEN done THEN 'Done' WHEN started_at IS NULL THEN 'Pending' ELSE 'Processing' END,
    created_at, started_at, COALESCE(canceled_at, CASE WHEN done THEN written_at END)
  FROM (SELECT r.*, ${REDRIVE_IS_DONE} AS done FROM redrives r WHERE r.account = $1) r
) AS listed`;

const readSomeStatement = {
  name: "jobs_read_some",
  text: `SELECT ${jobColumns} FROM jobs WHERE account = $1 AND id = ANY (string_to_array($2, ','))`,
};

/** Exports of an account that are searched for a file, the latest first. */
const EXPORTS_SEARCHED_MAX = 10_000;

const readExportStatement = {
  name: "jobs_read_export_of_file",
  text: `SELECT ${jobColumns} FROM (SELECT * FROM jobs WHERE account = $1 AND name LIKE 'Export%' AND status = 'Done'
      ORDER BY created_at DESC LIMIT ${EXPORTS_SEARCHED_MAX}) AS exports
    WHERE metadata::jsonb -> 'files' @> jsonb_build_array(jsonb_build_object('sha256', $2::text)) ORDER BY created_at DESC LIMIT 1`,
};

/** Returns the latest export of an account that wrote a file with these bytes. @param sha256 in hex. */
export async function readExportOfFile(session: Session, account: number, sha256: string): Promise<Job | undefined> {
  const [row] = await session.query<JobRow>(readExportStatement, [account, sha256]);
  return row === undefined ? undefined : toJob(row);
}

/** Returns a page of jobs in order of creation. */
export function pageJobs(session: Session, filters: JobFilters, page: JobsPage): Promise<ListedJob[]> {
  const conditions = conditionsOf(filters);
  const isUp = page.direction === "asc";
  if (page.after !== undefined) {
    const { createdAt, id } = page.after;
    conditions.add(
      `(created_at, id) ${isUp ? ">" : "<"} (${conditions.bind(createdAt)}::bigint, ${conditions.bind(id)}::text COLLATE "C")`,
    );
  }
  const order = isUp ? "created_at, id" : "created_at DESC, id DESC";
  const limits = `LIMIT ${conditions.bind(page.rowsMax)}::int OFFSET ${conditions.bind(page.skip ?? 0)}::int`;
  const text = `SELECT kind, id, created_at AS "createdAt" FROM ${ALL} WHERE ${conditions.text()} ORDER BY ${order} ${limits}`;
  return session.query({ text }, conditions.values);
}

export async function countJobs(session: Session, filters: JobFilters): Promise<number> {
  const conditions = conditionsOf(filters);
  const text = `SELECT count(*) AS count FROM ${ALL} WHERE ${conditions.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, conditions.values);
  return row?.count ?? 0;
}

/** Returns the jobs that are still there, in any order. */
export async function readStoredJobs(session: Session, account: number, ids: readonly string[]): Promise<Job[]> {
  if (ids.length === 0) return [];
  return (await session.query<JobRow>(readSomeStatement, [account, ids.join(",")])).map(toJob);
}

function conditionsOf({ account, name, status, started = {}, ended = {} }: JobFilters) {
  const conditions = createConditions();
  conditions.bind(account);
  conditions.add("true");
  if (name !== undefined) conditions.add(`name = ${conditions.bind(name)}`);
  if (status !== undefined) conditions.add(`status = ${conditions.bind(status)}`);
  for (const [column, { from, to }] of [
    ["started_at", started],
    ["ended_at", ended],
  ] as const) {
    if (from !== undefined) conditions.add(`${column} >= ${conditions.bind(from)}::bigint`);
    if (to !== undefined) conditions.add(`${column} < ${conditions.bind(to)}::bigint`);
  }
  return conditions;
}
