import type { TemplateId } from "@headwater/intake/triggers/eventTriggers";
import { deleteOlder } from "@headwater/postgres/connection/oldRows";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { LOST_OR_CANCELED, LOST_OR_SKIPPED } from "../sends/sendRow.ts";

/** Names one run of a recurring trigger. */
export interface RunKey {
  readonly account: number;
  /** 24 hex characters. */
  readonly id: string;
}

export interface TemplateRun extends RunKey, TemplateId {
  /** Its tick, milliseconds since 1970, as the other times. */
  readonly tickAt: number;
  /** Id of the template's day or hour that its sends belong to. */
  readonly message: string;
  readonly job: string;
  readonly startedAt: number;
}

/** Condition of runs that have not ended. */
export const STORE_OPEN = "ended_at IS NULL";

const insertStatement = {
  name: "template_runs_insert",
  text: `INSERT INTO template_runs (account, id, mdt_id, tick_at, message, job, started_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};
const knownStatement = {
  name: "template_runs_known",
  text: "SELECT id FROM template_runs WHERE account = $1 AND mdt_id = $2 AND tick_at >= $3 LIMIT 1",
};
const lockStatement = {
  name: "template_runs_lock",
  text: `SELECT account, id, mdt_id AS "mdtId", tick_at AS "tickAt", message, job, started_at AS "startedAt" FROM template_runs
    WHERE account = $1 AND id = $2 AND ${STORE_OPEN} FOR NO KEY UPDATE`,
};
const endStatement = {
  name: "template_runs_end",
  text: `UPDATE template_runs SET ended_at = $3 WHERE account = $1 AND id = $2 AND ${STORE_OPEN}`,
};
const deleteChunksStatement = {
  name: "template_runs_drop_chunks",
  text: "DELETE FROM send_chunks WHERE account = $1 AND message = $2",
};
const cancelStatement = {
  name: "template_runs_cancel",
  text: `UPDATE sends SET state = ${LOST_OR_SKIPPED}, reason = ${LOST_OR_CANCELED}, at = $3, owner = NULL, claim_until = 0
    WHERE account = $1 AND want = $2 AND state IN ('pending', 'deferred')`,
};
const lostStatement = {
  name: "template_runs_lost",
  text: `SELECT r.account, r.id FROM template_runs r WHERE r.ended_at IS NULL
      AND NOT EXISTS (SELECT FROM jobs j WHERE j.id = r.job AND j.status NOT IN ('Done', 'Failed', 'Canceled')) LIMIT $1`,
};
/** Stores the run of a tick. */
export async function insertTemplateRun(transaction: Transaction, run: TemplateRun): Promise<void> {
  const { account, id, mdtId, tickAt, message, job, startedAt } = run;
  await transaction.execute(insertStatement, [account, id, mdtId, tickAt, message, job, startedAt]);
}

/** Returns whether a tick, or a later one, has its run. */
export async function hasRunSince(session: Session, { account, mdtId }: TemplateId, tickAt: number): Promise<boolean> {
  const found = await session.query<{ id: string }>(knownStatement, [account, mdtId, tickAt]);
  return found.length > 0;
}

/** Locks a run that has not ended until the transaction ends. */
export async function lockTemplateRun(
  transaction: Transaction,
  { account, id }: RunKey,
): Promise<TemplateRun | undefined> {
  const [row] = await transaction.query<TemplateRun>(lockStatement, [account, id]);
  return row;
}

/** Ends a run: contacts that have no send by now get none. @param isCanceled ends waiting sends as well. */
export async function endTemplateRun(
  transaction: Transaction,
  { account, id, isCanceled = false }: RunKey & { readonly isCanceled?: boolean },
  nowMs: number,
): Promise<void> {
  await transaction.execute(endStatement, [account, id, nowMs]);
  await deleteRunChunks(transaction, { account, id });
  if (isCanceled) await transaction.execute(cancelStatement, [account, id, nowMs]);
}

/** Drops the chunks of a run's audience. */
export async function deleteRunChunks(transaction: Transaction, { account, id }: RunKey): Promise<void> {
  await transaction.execute(deleteChunksStatement, [account, id]);
}

/** Returns runs whose job has ended without them. */
export function readLostRuns(session: Session, rowsMax: number): Promise<RunKey[]> {
  return session.query<RunKey>(lostStatement, [rowsMax]);
}

/** Deletes runs that ended before a time (milliseconds since 1970). @returns how many. */
export function deleteOldRuns(session: Session, before: number): Promise<number> {
  return deleteOlder(session, { table: "template_runs", column: "ended_at", unless: "ended_at IS NULL" }, before);
}
