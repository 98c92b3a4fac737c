import type { Transaction } from "@headwater/postgres/connection/session";
import { HELD_MS, SAME_KEY, STORE_NOW } from "./sendRow.ts";

/** Settings that sends wait for. */
export type RecallReason = "rate" | "quiet-hours";

const recallStatement = {
  name: "send_recalls_insert",
  text: `INSERT INTO send_recalls (account, reason, at) VALUES ($1, $2, ${STORE_NOW})
    ON CONFLICT (account, reason) DO UPDATE SET at = EXCLUDED.at`,
};
const nextStatement = {
  name: "send_recalls_next",
  text: "SELECT account, reason, at FROM send_recalls ORDER BY at, account, reason LIMIT 1 FOR UPDATE SKIP LOCKED",
};
/** Sends that are paused ask again when their message goes on. A lost answer stays the reason of a send that waits to go out again. */
const freeStatement = {
  name: "send_recalls_free",
  text: `UPDATE sends s SET due_at = LEAST(s.created_at, $4::bigint) FROM (
      SELECT message, contact, n FROM sends WHERE account = $1 AND state IN ('pending', 'deferred') AND due_at > $4 AND due_at < ${HELD_MS}
        AND reason IN ($2, 'answer-lost') AND held_at < $3 LIMIT $5 FOR UPDATE SKIP LOCKED) AS k
    WHERE ${SAME_KEY}`,
};
const endStatement = {
  name: "send_recalls_end",
  text: "DELETE FROM send_recalls WHERE account = $1 AND reason = $2",
};

/**
 * Lets everything that an account's sends wait for be asked again, in the transaction that changes it. The caller holds the lock of what
 * senders read it from: whoever still decides by the old settings stores that before, or notices.
 */
export async function recallSends(transaction: Transaction, account: number, reason: RecallReason): Promise<void> {
  await transaction.execute(recallStatement, [account, reason]);
}

interface RecallRow extends Record<string, unknown> {
  readonly account: number;
  readonly reason: RecallReason;
  readonly at: number;
}

/** Makes sends due of the oldest recall. @returns whether there may be more to do. */
export async function freeRecalled(
  transaction: Transaction,
  { nowMs, sendsMax }: { readonly nowMs: number; readonly sendsMax: number },
): Promise<boolean> {
  const [recall] = await transaction.query<RecallRow>(nextStatement);
  if (recall === undefined) return false;
  const { account, reason, at } = recall;
  const freed = await transaction.execute(freeStatement, [account, reason, at, nowMs, sendsMax]);
  if (freed < sendsMax) await transaction.execute(endStatement, [account, reason]);
  return true;
}
