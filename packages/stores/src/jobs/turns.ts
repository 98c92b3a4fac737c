import type { Session } from "../postgres/connection/session.ts";
import { QUEUE_SCHEMA, queueOf } from "./queueNames.ts";

/**
 * Turns of jobs, as start-time fair queueing counts them (Goyal, Vin and Cheng, 1996): a job's turn is one behind its account's last,
 * but never before the turn that is on. The queue serves the lowest turn first, so accounts alternate however many jobs one of them
 * has waiting, and none waits for ever, for turns only rise while anything is queued. A turn is stored as negative priority.
 */
const nextTurnStatement = {
  name: "job_turns_next",
  text: `SELECT count(*) FILTER (WHERE group_id = $1 AND state < 'active') AS waiting,
      GREATEST(
        COALESCE(min(-priority) FILTER (WHERE state = 'active' OR start_after <= now()), 0),
        COALESCE(max(-priority) FILTER (WHERE group_id = $1) + 1, 0)
      ) AS turn
    FROM ${QUEUE_SCHEMA}.job WHERE name = $2 AND state <= 'active'`,
};
const turnStatement = {
  name: "job_turns_own",
  text: `SELECT -priority AS turn FROM ${QUEUE_SCHEMA}.job
    WHERE name = $3 AND state = 'active' AND group_id = $1 AND data->>'jobId' = $2 LIMIT 1`,
};
const othersStatement = {
  name: "job_turns_others",
  text: `SELECT EXISTS (SELECT FROM ${QUEUE_SCHEMA}.job WHERE name = $3 AND state < 'active' AND NOT blocked AND priority >= $2
      AND start_after <= now() AND group_id IS DISTINCT FROM $1) AS waits`,
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

/** The turn that a running job has; the first one when it is not in the queue. */
export async function readTurn(session: Session, { id, account, name }: JobOfAccount): Promise<number> {
  const [row] = await session.query<{ turn: number }>(turnStatement, [String(account), id, queueOf(name)]);
  return row?.turn ?? 0;
}

/** Returns whether a job of another account waits whose turn comes no later than that of this running one. */
export async function isOthersTurn(session: Session, job: JobOfAccount): Promise<boolean> {
  const turn = await readTurn(session, job);
  const [row] = await session.query<{ waits: boolean }>(othersStatement, [
    String(job.account),
    -turn,
    queueOf(job.name),
  ]);
  return row?.waits === true;
}
