import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { QUEUE_SCHEMA, queueLimits, queueOf, runningMaxOf } from "@headwater/postgres/migrate/queueNames";

/** Largest turn that a priority can hold. */
const TURN_MAX = 2_147_483_647;

/**
 * Turns of jobs, as start-time fair queueing counts them (Goyal, Vin and Cheng, 1996): a job's turn is one behind its account's last,
 * but never before the turn that is on. The queue serves the lowest turn first, so accounts alternate however many jobs one of them
 * has waiting, and none waits for ever, for turns only rise while anything is queued. A turn is stored as negative priority.
 */
const nextTurnStatement = {
  name: "job_turns_next",
  text: `SELECT count(*) FILTER (WHERE group_id = $1 AND state < 'active') AS waiting,
      LEAST(${TURN_MAX}, GREATEST(
        COALESCE(min(-priority) FILTER (WHERE state = 'active' OR start_after <= now()), 0),
        COALESCE(max(-priority::bigint) FILTER (WHERE group_id = $1) + 1, 0)
      )) AS turn
    FROM ${QUEUE_SCHEMA}.job WHERE name = $2 AND state <= 'active'`,
};
const waitingStatement = {
  name: "job_turns_waiting",
  text: `SELECT count(*) AS waiting FROM ${QUEUE_SCHEMA}.job q JOIN jobs j ON j.id = q.data->>'jobId'
    WHERE q.name = $2 AND q.group_id = $1 AND q.state < 'active' AND j.status NOT IN ('Done', 'Failed', 'Canceled')`,
};
const turnStatement = {
  name: "job_turns_own",
  text: `SELECT -priority AS turn FROM ${QUEUE_SCHEMA}.job
    WHERE name = $3 AND state = 'active' AND group_id = $1 AND data->>'jobId' = $2 LIMIT 1`,
};
const othersStatement = {
  name: "job_turns_others",
  text: `WITH running AS MATERIALIZED (
      SELECT group_id, count(*) AS jobs FROM ${QUEUE_SCHEMA}.job WHERE name = $3 AND state = 'active' GROUP BY group_id)
    SELECT EXISTS (SELECT FROM ${QUEUE_SCHEMA}.job LEFT JOIN running USING (group_id)
      WHERE name = $3 AND state < 'active' AND NOT blocked AND priority >= $2 AND start_after <= now() AND group_id IS DISTINCT FROM $1
        AND COALESCE(running.jobs, 0) < COALESCE((SELECT jobs FROM running WHERE group_id = $1), 1)) AS waits`,
};

const capacityLockStatement = { name: "job_turns_room_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };
const capacityStatement = {
  name: "job_turns_room",
  text: `SELECT count(DISTINCT j.id) AS running FROM ${QUEUE_SCHEMA}.job q JOIN jobs j ON j.id = q.data->>'jobId'
    WHERE q.name = $1 AND q.state = 'active' AND q.group_id = $2 AND j.id <> $3 AND j.status IN ('Processing', 'Throttled')`,
};
const positionStatement = {
  name: "job_turns_place",
  text: `SELECT count(*) AS ahead FROM ${QUEUE_SCHEMA}.job o
    JOIN ${QUEUE_SCHEMA}.job own ON own.name = o.name AND own.data->>'jobId' = $2 AND own.state < 'active'
    WHERE o.name = $1 AND o.state < 'active'
      AND (o.priority > own.priority OR (o.priority = own.priority AND o.created_on < own.created_on))`,
};

interface JobOfAccount {
  readonly id: string;
  readonly account: number;
  readonly name: string;
}

/** The turn that a new job of the account gets, and how many of its jobs wait already. */
export async function readNextTurn(
  session: Session,
  { account, name }: Pick<JobOfAccount, "account" | "name">,
): Promise<{ waiting: number; turn: number }> {
  const values = [String(account), queueOf(name)];
  const [row] = await session.query<{ waiting: number; turn: number }>(nextTurnStatement, values);
  return row ?? { waiting: 0, turn: 0 };
}

/** Has starts of long jobs of the account follow one another, so that all of them are counted. */
export async function lockStarts(
  transaction: Transaction,
  { account, name }: Pick<JobOfAccount, "account" | "name">,
): Promise<void> {
  if (queueLimits[queueOf(name)].runningMax !== undefined)
    await transaction.execute(capacityLockStatement, [LOCK_CLASS, account]);
}

/** Counts the jobs of the account that wait and are not over: one that was canceled stays in the queue until its turn. */
export async function readWaiting(
  session: Session,
  { account, name }: Pick<JobOfAccount, "account" | "name">,
): Promise<number> {
  const [row] = await session.query<{ waiting: number }>(waitingStatement, [String(account), queueOf(name)]);
  return row?.waiting ?? 0;
}

/** Counts the jobs of its queue that are served before one that waits. */
export async function readJobsAhead(
  session: Session,
  { id, name }: Pick<JobOfAccount, "id" | "name">,
): Promise<number> {
  const [row] = await session.query<{ ahead: number }>(positionStatement, [queueOf(name), id]);
  return row?.ahead ?? 0;
}

/** Names the locks under which long jobs of an account are counted. */
const LOCK_CLASS = 7_238_409;

/**
 * Returns whether a job that was taken from the queue may run: others of its account that run leave it space. No other worker sees it before
 * the transaction ends, in which the job has to be taken. The library bounds a group when it checks, so that workers that check the
 * same instant take more.
 */
export async function hasCapacity(
  transaction: Transaction,
  { id, account, name }: JobOfAccount,
  jobsConcurrently: number,
): Promise<boolean> {
  const queue = queueOf(name);
  if (queueLimits[queue].runningMax === undefined) return true;
  await transaction.execute(capacityLockStatement, [LOCK_CLASS, account]);
  const [row] = await transaction.query<{ running: number }>(capacityStatement, [queue, String(account), id]);
  return (row?.running ?? 0) < runningMaxOf(queue, jobsConcurrently);
}

/** The turn that a running job has; the first one when it is not in the queue. */
export async function readTurn(session: Session, { id, account, name }: JobOfAccount): Promise<number> {
  const [row] = await session.query<{ turn: number }>(turnStatement, [String(account), id, queueOf(name)]);
  return row?.turn ?? 0;
}

/**
 * Returns whether a job of another account waits whose turn comes no later than that of this running one. An account of which as many jobs run
 * has its share: what it has waiting may not even be allowed to run.
 */
export async function isOthersTurn(session: Session, job: JobOfAccount): Promise<boolean> {
  const turn = await readTurn(session, job);
  const [row] = await session.query<{ waits: boolean }>(othersStatement, [
    String(job.account),
    -turn,
    queueOf(job.name),
  ]);
  return row?.waits === true;
}
