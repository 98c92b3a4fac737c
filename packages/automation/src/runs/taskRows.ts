import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** A call or a write that a run wants: one try of it. */
export interface Task {
  readonly account: number;
  /** Id of the effect. */
  readonly id: string;
  readonly kind: "call" | "write";
  readonly run: string;
  readonly node: string;
  readonly contact: number;
  readonly delivery: string | null;
}

const STORE_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
/** Accounts take turns: of each some tasks, whatever number another one has. */
const claimStatement = {
  name: "orchestration_tasks_claim",
  text: `UPDATE orchestration_tasks t SET claimed_until = ${STORE_NOW} + $3
    FROM (SELECT account, id FROM orchestration_tasks o WHERE claimed_until <= ${STORE_NOW} AND o.account <> ALL ($1::int[])
      ORDER BY wanted_at LIMIT $2 FOR UPDATE SKIP LOCKED) k
    WHERE (t.account, t.id) = (k.account, k.id)
    RETURNING t.account, t.id, t.kind, t.run, t.node, t.contact, t.delivery`,
};
const takeStatement = {
  name: "orchestration_tasks_take",
  text: "DELETE FROM orchestration_tasks WHERE account = $1 AND id = $2",
};

/** Claims tasks, the oldest first. @param but accounts whose tasks stay where they are. */
export function claimTasks(
  session: Session,
  { but, tasksMax, claimMs }: { readonly but: readonly number[]; readonly tasksMax: number; readonly claimMs: number },
): Promise<Task[]> {
  return session.query(claimStatement, [plainArray(but, (account) => account), tasksMax, claimMs]);
}

/** Takes a task away that is done. @returns false when somebody else did it, or its run has ended. */
export async function takeTask(
  transaction: Transaction,
  { account, id }: Pick<Task, "account" | "id">,
): Promise<boolean> {
  return (await transaction.execute(takeStatement, [account, id])) === 1;
}

const runsStatement = {
  name: "orchestration_runs_of_tasks",
  text: `SELECT r.account, r.id, r.orchestration, r.version, r.run FROM unnest($1::int[], $2::text[]) AS k (account, id)
    JOIN orchestration_runs r ON (r.account, r.id) = (k.account, k.id)`,
};

/** The run of a task, as it waits for it. */
export interface TaskRun {
  readonly account: number;
  readonly id: string;
  readonly orchestration: string;
  readonly version: number;
  /** JSON text. */
  readonly run: string;
}

export function readTaskRuns(session: Session, tasks: readonly Task[]): Promise<TaskRun[]> {
  const keys = [plainArray(tasks, ({ account }) => account), textArray(tasks, ({ run }) => run)];
  return session.query(runsStatement, keys);
}
