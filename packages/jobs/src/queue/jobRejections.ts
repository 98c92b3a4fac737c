import { jsonTexts, plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { bothWays, type Direction } from "@headwater/postgres/connection/bothWays";
import { deleteOlder } from "@headwater/postgres/connection/oldRows";
import type { Session } from "@headwater/postgres/connection/session";

export interface JobRejection {
  /** The row's position in the source, from 0. */
  readonly index: number;
  /** Line of the source it begins on, from 1; absent where the source has none. */
  readonly line?: number | null;
  readonly code: string;
  readonly message: string;
  /** JSON pointer into the record. */
  readonly path: string | null;
  /** The row as it was read: any JSON value. */
  readonly record: unknown;
}

interface JobRejectionRow extends Omit<JobRejection, "record"> {
  readonly record: string | null;
}

export interface JobRejectionsPage {
  readonly account: number;
  readonly job: string;
  /** Default `asc`. */
  readonly direction?: Direction;
  /** Index of the last one of the page before. */
  readonly after?: number;
  readonly skip?: number;
  readonly rowsMax: number;
}

const insertStatement = {
  name: "job_rejections_insert",
  text: `INSERT INTO job_rejections (job, account, created_at, index, code, message, path, record, line)
    SELECT $1, $2, $3, index, code, message, path, record::json, line
    FROM unnest($4::bigint[], $5::text[], $6::text[], $7::text[], string_to_array($8, E'\\x1f'), $9::bigint[])
      AS r (index, code, message, path, record, line) ON CONFLICT DO NOTHING`,
};
const pageStatements = bothWays((direction, isBeyond) => ({
  name: `job_rejections_page_${direction}`,
  text: `SELECT index, line, code, message, path, record FROM job_rejections
    WHERE account = $1 AND job = $2 AND ($3::bigint IS NULL OR index ${isBeyond} $3) ORDER BY index ${direction} LIMIT $4 OFFSET $5`,
}));
const countStatement = {
  name: "job_rejections_count",
  text: "SELECT count(*) AS count FROM job_rejections WHERE account = $1 AND job = $2",
};
const aging = { table: "job_rejections", column: "created_at" };

export async function insertJobRejections(
  session: Session,
  { job, account, at }: { readonly job: string; readonly account: number; readonly at: number },
  rejections: readonly JobRejection[],
): Promise<void> {
  if (rejections.length === 0) return;
  await session.execute(insertStatement, [
    job,
    account,
    at,
    plainArray(rejections, ({ index }) => index),
    textArray(rejections, ({ code }) => code),
    textArray(rejections, ({ message }) => message),
    textArray(rejections, ({ path }) => path),
    jsonTexts(rejections, ({ record }) => JSON.stringify(record ?? null)),
    plainArray(rejections, ({ line = null }) => line),
  ]);
}

/** Returns a page of rejections in order of their positions. */
export async function pageJobRejections(session: Session, page: JobRejectionsPage): Promise<JobRejection[]> {
  const { account, job, direction = "asc", after = null, rowsMax, skip = 0 } = page;
  const rows = await session.query<JobRejectionRow>(pageStatements[direction], [account, job, after, rowsMax, skip]);
  return rows.map(({ record, ...rest }) => ({ ...rest, record: record === null ? null : JSON.parse(record) }));
}

export async function countJobRejections(session: Session, account: number, job: string): Promise<number> {
  const [row] = await session.query<{ count: number }>(countStatement, [account, job]);
  return row?.count ?? 0;
}

/** @returns how many that were written before then. */
export function deleteJobRejections(session: Session, before: number): Promise<number> {
  return deleteOlder(session, aging, before);
}
