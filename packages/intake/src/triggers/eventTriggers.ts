import { lockAccounts } from "@headwater/accounts/accounts/accountLocks";
import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Names a template by the id that its messages begin with. */
export interface TemplateId {
  readonly account: number;
  /** 24 hex characters. */
  readonly mdtId: string;
}

/** Says which activities a template is sent for. */
export interface EventTrigger extends TemplateId {
  readonly action: string;
  /** JSON text. */
  readonly conditions: string;
}

/** A class of advisory locks of its own: one account's triggers are counted and set by one call at a time. */
export const LOCK_CLASS = 7_238_414;

const setStatement = {
  name: "event_triggers_set",
  text: `INSERT INTO event_triggers (account, mdt_id, action, conditions) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account, mdt_id) DO UPDATE SET action = EXCLUDED.action, conditions = EXCLUDED.conditions`,
};
const deleteStatement = {
  name: "event_triggers_drop",
  text: "DELETE FROM event_triggers WHERE account = $1 AND mdt_id = $2",
};
const countStatement = {
  name: "event_triggers_count",
  text: "SELECT count(*) AS count FROM event_triggers WHERE account = $1 AND mdt_id <> $2",
};
const readStatement = {
  name: "event_triggers_read",
  text: `SELECT account, mdt_id AS "mdtId", action, conditions FROM event_triggers WHERE account = ANY ($1::int[])
    ORDER BY account, mdt_id`,
};

/** Stores a trigger, unless the account has as many of other templates already. @returns false where it has. */
export async function setEventTrigger(
  transaction: Transaction,
  { account, mdtId, action, conditions }: EventTrigger,
  triggersMax: number,
): Promise<boolean> {
  await lockAccounts(transaction, LOCK_CLASS, [{ account, alone: true }]);
  const [others] = await transaction.query<{ count: number }>(countStatement, [account, mdtId]);
  if ((others?.count ?? 0) >= triggersMax) return false;
  await transaction.execute(setStatement, [account, mdtId, action, conditions]);
  return true;
}

export async function deleteEventTrigger(transaction: Transaction, { account, mdtId }: TemplateId): Promise<void> {
  await transaction.execute(deleteStatement, [account, mdtId]);
}

export function readEventTriggers(session: Session, accounts: readonly number[]): Promise<EventTrigger[]> {
  return session.query(readStatement, [plainArray(accounts, (account) => account)]);
}
