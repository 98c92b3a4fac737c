import { lockAccounts } from "@headwater/accounts/accounts/accountLocks";
import { LOCK_CLASS, type TemplateId } from "@headwater/intake/triggers/eventTriggers";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { STORE_OPEN } from "./templateRuns.ts";

/** Audience of the runs of a trigger; null = absent. */
export interface RecurringAudience {
  /** Key of a saved audience. */
  readonly audienceKey: string | null;
  /** JSON text. */
  readonly criteria: string | null;
  /** JSON text: the ids of the lists that the criteria name by name. */
  readonly lists: string | null;
}

/** Says when a template is sent again and again. */
export interface RecurringSchedule extends TemplateId {
  /** Five fields. */
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
  /** Next tick, milliseconds since 1970; null while it does not listen. */
  readonly nextAt: number | null;
}

export interface RecurringTrigger extends RecurringSchedule, RecurringAudience {}

const setStatement = {
  name: "recurring_triggers_set",
  text: `INSERT INTO recurring_triggers AS r (account, mdt_id, cron, timezone, next_at, audience_key, criteria, lists)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (account, mdt_id) DO UPDATE SET cron = EXCLUDED.cron, timezone = EXCLUDED.timezone,
      next_at = CASE WHEN EXCLUDED.next_at IS NOT NULL AND (r.cron, r.timezone) = (EXCLUDED.cron, EXCLUDED.timezone)
        THEN COALESCE(r.next_at, EXCLUDED.next_at) ELSE EXCLUDED.next_at END,
      audience_key = CASE WHEN $9 THEN EXCLUDED.audience_key ELSE r.audience_key END,
      criteria = CASE WHEN $9 THEN EXCLUDED.criteria ELSE r.criteria END,
      lists = CASE WHEN $9 THEN EXCLUDED.lists ELSE r.lists END`,
};
const countStatement = {
  name: "recurring_triggers_count",
  text: "SELECT count(*) AS count FROM recurring_triggers WHERE account = $1 AND mdt_id <> $2 AND next_at IS NOT NULL",
};
const deleteStatement = {
  name: "recurring_triggers_drop",
  text: "DELETE FROM recurring_triggers WHERE account = $1 AND mdt_id = $2",
};
const COLUMNS = `account, mdt_id AS "mdtId", cron, timezone, next_at AS "nextAt", audience_key AS "audienceKey", criteria, lists`;
const readStatement = {
  name: "recurring_triggers_read",
  text: `SELECT ${COLUMNS} FROM recurring_triggers WHERE account = $1 AND mdt_id = $2`,
};
const dueStatement = {
  name: "recurring_triggers_due",
  text: `SELECT account, mdt_id AS "mdtId" FROM recurring_triggers t WHERE next_at <= $1
      AND NOT EXISTS (SELECT FROM template_runs r WHERE r.account = t.account AND r.mdt_id = t.mdt_id AND ${STORE_OPEN})
    ORDER BY next_at LIMIT $2`,
};
const lockDueStatement = {
  name: "recurring_triggers_lock_due",
  text: `SELECT ${COLUMNS} FROM recurring_triggers WHERE account = $1 AND mdt_id = $2 AND next_at <= $3 FOR UPDATE SKIP LOCKED`,
};
const moveStatement = {
  name: "recurring_triggers_move",
  text: "UPDATE recurring_triggers SET next_at = $3 WHERE account = $1 AND mdt_id = $2",
};

const NOBODY: RecurringAudience = { audienceKey: null, criteria: null, lists: null };

/**
 * Stores a trigger, unless it is to listen and the account has as many that do. A tick that is due already stays due while the schedule stays.
 * @param audience undefined where it stays as it is. @returns false where the account has too many.
 */
export async function setRecurringTrigger(
  transaction: Transaction,
  { account, mdtId, cron, timezone, nextAt }: RecurringSchedule,
  { audience, triggersMax }: { readonly audience: RecurringAudience | undefined; readonly triggersMax: number },
): Promise<boolean> {
  await lockAccounts(transaction, LOCK_CLASS, [{ account, alone: true }]);
  if (nextAt !== null) {
    const [others] = await transaction.query<{ count: number }>(countStatement, [account, mdtId]);
    if ((others?.count ?? 0) >= triggersMax) return false;
  }
  const { audienceKey, criteria, lists } = audience ?? NOBODY;
  const values = [account, mdtId, cron, timezone, nextAt, audienceKey, criteria, lists, audience !== undefined];
  await transaction.execute(setStatement, values);
  return true;
}

export async function deleteRecurringTrigger(transaction: Transaction, { account, mdtId }: TemplateId): Promise<void> {
  await transaction.execute(deleteStatement, [account, mdtId]);
}

export async function readRecurringTrigger(
  session: Session,
  { account, mdtId }: TemplateId,
): Promise<RecurringTrigger | undefined> {
  const [row] = await session.query<RecurringTrigger>(readStatement, [account, mdtId]);
  return row;
}

/** Returns triggers whose tick has come and that have no run under way. */
export function dueRecurringTriggers(session: Session, nowMs: number, rowsMax: number): Promise<TemplateId[]> {
  return session.query<TemplateId>(dueStatement, [nowMs, rowsMax]);
}

/** Locks a trigger whose tick has come until the transaction ends; undefined when another worker has it. */
export async function lockDueTrigger(
  transaction: Transaction,
  { account, mdtId }: TemplateId,
  nowMs: number,
): Promise<RecurringTrigger | undefined> {
  const values = [account, mdtId, nowMs];
  const [row] = await transaction.query<RecurringTrigger>(lockDueStatement, values);
  return row;
}

/** Sets when a trigger that is locked is checked again. */
export async function moveRecurringTrigger(
  transaction: Transaction,
  { account, mdtId }: TemplateId,
  nextAt: number | null,
): Promise<void> {
  await transaction.execute(moveStatement, [account, mdtId, nextAt]);
}
