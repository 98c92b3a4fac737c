import { lockAccounts } from "@headwater/accounts/accounts/accountLocks";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { LOCK_CLASS } from "./eventTriggers.ts";

/** An action that something of an account listens for: each such activity is emitted as a change event. */
export interface Listener {
  readonly account: number;
  readonly action: string;
}

/** Names what listens, as `kind:id`: an orchestration or a webhook. */
export interface ListenerKey {
  readonly account: number;
  readonly holder: string;
}

/** Actions that all of an account's orchestrations and webhooks may listen for together. */
export const LISTENERS_MAX = 10_000;

const deleteStatement = {
  name: "listeners_delete",
  text: "DELETE FROM listeners WHERE account = $1 AND holder = $2 AND action <> ALL ($3::text[])",
};
const deleteAllStatement = {
  name: "listeners_delete_all",
  text: "DELETE FROM listeners WHERE account = $1 AND holder = $2",
};
const insertStatement = {
  name: "listeners_insert",
  text: `INSERT INTO listeners (account, action, holder) SELECT $1, action, $2 FROM unnest($3::text[]) AS r (action)
    ON CONFLICT DO NOTHING`,
};
const countStatement = { name: "listeners_count", text: "SELECT count(*) AS count FROM listeners WHERE account = $1" };
const readStatement = {
  name: "listeners_read",
  text: "SELECT DISTINCT account, action FROM listeners WHERE account = ANY ($1::int[])",
};

/**
 * Replaces what a holder listens for. Whatever is applied after the caller's transaction is heard.
 * @returns false when the account would listen for more than `LISTENERS_MAX`: the caller rolls back.
 */
export async function setListeners(
  transaction: Transaction,
  { account, holder }: ListenerKey,
  actions: readonly string[],
): Promise<boolean> {
  const names = textArray([...new Set(actions)], (action) => action);
  await transaction.execute(deleteStatement, [account, holder, names]);
  return addListeners(transaction, { account, holder }, actions);
}

/** Adds to what a holder listens for. @returns false as `setListeners` does. */
export async function addListeners(
  transaction: Transaction,
  { account, holder }: ListenerKey,
  actions: readonly string[],
): Promise<boolean> {
  if (actions.length === 0) return true;
  await lockAccounts(transaction, LOCK_CLASS, [{ account, alone: true }]);
  const names = textArray([...new Set(actions)], (action) => action);
  await transaction.execute(insertStatement, [account, holder, names]);
  const [row] = await transaction.query<{ count: number }>(countStatement, [account]);
  return (row?.count ?? 0) <= LISTENERS_MAX;
}

/** Ends all that a holder listens for. */
export async function deleteListeners(transaction: Transaction, { account, holder }: ListenerKey): Promise<void> {
  await transaction.execute(deleteAllStatement, [account, holder]);
}

export function readListeners(session: Session, accounts: readonly number[]): Promise<Listener[]> {
  return session.query(readStatement, [plainArray(accounts, (account) => account)]);
}
