import type { Session } from "@headwater/postgres/connection/session";

/** An export that ended while it staged rows or wrote files: what it left unfinished is to be removed. */
export interface Leftover {
  readonly job: string;
  /** The account's number. */
  readonly account: number;
  /** Secrets that the job's request gave, sealed. */
  readonly secrets: string | null;
  /** Attempts before this one. */
  readonly attempts: number;
}

/** A worker that lives gives its file up by itself within this. */
const FIRST_AFTER_MS = 15_000;

/** Keeps the job $1, which ends at $3, when it is an export that has begun to stage its rows. */
export const keepLeftovers = `INSERT INTO job_leftovers (job, account, secrets, next_at)
    SELECT id, account, secrets, $3::bigint + ${FIRST_AFTER_MS} FROM jobs
    WHERE id = $1 AND name LIKE 'Export%' AND progress->>'phase' IN ('stage', 'write', 'manifest') ON CONFLICT DO NOTHING`;

const takeStatement = {
  name: "job_leftovers_take",
  text: `UPDATE job_leftovers l SET next_at = $2, attempts = l.attempts + 1 FROM (
      SELECT job FROM job_leftovers WHERE next_at <= $1 ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED
    ) AS due WHERE l.job = due.job RETURNING l.job, l.account, l.secrets, l.attempts - 1 AS attempts`,
};
const laterStatement = {
  name: "job_leftovers_later",
  text: "UPDATE job_leftovers SET next_at = $2 WHERE job = $1",
};
const deleteStatement = { name: "job_leftovers_delete", text: "DELETE FROM job_leftovers WHERE job = $1" };

/**
 * Takes leftovers that are due. Until `leaseUntil` nobody else takes them; after a kill they are due again then. Times are milliseconds
 * since 1970.
 */
export function takeLeftovers(
  session: Session,
  taking: { readonly now: number; readonly leaseUntil: number; readonly rowsMax: number },
): Promise<Leftover[]> {
  return session.query<Leftover>(takeStatement, [taking.now, taking.leaseUntil, taking.rowsMax]);
}

/** Puts off the next attempt. */
export async function delayLeftover(session: Session, { job }: Leftover, nextAt: number): Promise<void> {
  await session.execute(laterStatement, [job, nextAt]);
}

/** Forgets a leftover that is gone or given up, with its secrets. */
export async function deleteLeftover(session: Session, { job }: Leftover): Promise<void> {
  await session.execute(deleteStatement, [job]);
}
