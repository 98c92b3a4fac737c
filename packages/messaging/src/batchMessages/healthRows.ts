import { textArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { BatchMessageKey } from "./batchMessages.ts";
import { ANSWERS_EVALUATED, type MessageHealth, RENDERS_EVALUATED } from "./health.ts";

/**
 * Letters that a window adds to a message, as `MessageHealth` has them. They have a row of their own: settling takes a shared lock of the
 * message's row, and two senders that both wanted more of it would deadlock.
 */
export interface HealthNote extends MessageHealth {
  /** 24 hex characters. */
  readonly id: string;
}

/** Keeps nothing of a message that is not being sent, and writes nothing of renders beyond the first ones. */
const addStatement = {
  name: "message_health_add",
  text: `INSERT INTO message_health AS h (account, message, renders, answers)
      SELECT m.account, m.id, left(n.renders, ${RENDERS_EVALUATED}), right(n.answers, ${ANSWERS_EVALUATED})
      FROM unnest($2::text[], $3::text[], $4::text[]) AS n (id, renders, answers)
        JOIN batch_messages m ON m.account = $1 AND m.id = n.id AND m.status = 'processing'
      WHERE n.answers <> '' OR NOT EXISTS (
        SELECT FROM message_health f WHERE f.account = $1 AND f.message = n.id AND length(f.renders) >= ${RENDERS_EVALUATED})
      ORDER BY m.id
    ON CONFLICT (account, message) DO UPDATE SET renders = left(h.renders || excluded.renders, ${RENDERS_EVALUATED}),
      answers = right(h.answers || excluded.answers, ${ANSWERS_EVALUATED})
    RETURNING h.message AS id, h.renders, h.answers`,
};
const forgetStatement = {
  name: "message_health_forget",
  text: "DELETE FROM message_health WHERE account = $1 AND message = $2",
};

/** Adds what a window found. The rows stay locked until the transaction ends. @returns all that is known of these messages. */
export async function addMessageHealth(
  transaction: Transaction,
  account: number,
  notes: readonly HealthNote[],
): Promise<HealthNote[]> {
  if (notes.length === 0) return [];
  return transaction.query<HealthNote>(addStatement, [
    account,
    textArray(notes, ({ id }) => id),
    textArray(notes, ({ renders }) => renders),
    textArray(notes, ({ answers }) => answers),
  ]);
}

/** Lets a message be evaluated again. */
export async function forgetMessageHealth(transaction: Transaction, { account, id }: BatchMessageKey): Promise<void> {
  await transaction.execute(forgetStatement, [account, id]);
}
