import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { FREE_DUE, HELD, HELD_UNTRIED } from "../sends/heldRows.ts";
import { HELD_MS, LOST_OR_CANCELED, LOST_OR_SKIPPED } from "../sends/sendRow.ts";
import type { BatchMessageKey } from "./batchMessages.ts";

/** Tests of a message go their own way, whatever becomes of it. */
const OF_MESSAGE = "account = $1 AND message = $2 AND kind = 'b'";
const WAITING = `${OF_MESSAGE} AND state IN ('pending', 'deferred')`;

const holdStatement = {
  name: "message_sends_hold",
  text: `UPDATE sends SET due_at = due_at + ${HELD_MS}, owner = NULL, claim_until = 0 WHERE ${WAITING} AND due_at < ${HELD_MS}`,
};
const freeStatement = {
  name: "message_sends_free",
  text: `UPDATE sends SET due_at = ${FREE_DUE} WHERE account = $1 AND message = $2 AND ${HELD} AND NOT (${HELD_UNTRIED})`,
};
const cancelStatement = {
  name: "message_sends_cancel",
  text: `UPDATE sends SET state = ${LOST_OR_SKIPPED}, reason = ${LOST_OR_CANCELED}, at = $3, owner = NULL, claim_until = 0
    WHERE ${WAITING}`,
};
const openStatement = {
  name: "message_sends_open",
  text: `SELECT count(*) FILTER (WHERE state IN ('pending', 'sending', 'deferred')) AS open,
      count(*) FILTER (WHERE state = 'pending') AS waiting, count(*) FILTER (WHERE state = 'pending' AND reason = 'rate') AS paced,
      count(*) FILTER (WHERE state = 'pending' AND first_at IS NULL) AS untried, max(first_at) AS "lastTriedAt", count(*) AS rows
    FROM sends WHERE ${OF_MESSAGE}`,
};

/** Takes the wanted sends of a paused message from their senders: what is not intended by now is not intended before it goes on. */
export async function holdMessageSends(transaction: Transaction, { account, id }: BatchMessageKey): Promise<void> {
  await transaction.execute(holdStatement, [account, id]);
}

/** Gives held sends that were intended before free again. The others stay held until the new audience says whether they are still wanted. */
export async function freeTriedSends(transaction: Transaction, { account, id }: BatchMessageKey): Promise<void> {
  await transaction.execute(freeStatement, [account, id]);
}

/** Ends the wanted sends of a canceled message. */
export async function cancelMessageSends(
  transaction: Transaction,
  { account, id }: BatchMessageKey,
  nowMs: number,
): Promise<void> {
  await transaction.execute(cancelStatement, [account, id, nowMs]);
}

/** Sends of a message: those that have not ended, those of them that nobody has begun, those of these that wait for a rate, and all. */
export interface MessageSends {
  readonly open: number;
  readonly waiting: number;
  readonly paced: number;
  readonly rows: number;
  /** Sends that nobody ever began. */
  readonly untried: number;
  /** Latest first attempt of a send, in milliseconds since 1970; null before any. */
  readonly lastTriedAt: number | null;
}

const NO_SENDS: MessageSends = { open: 0, waiting: 0, paced: 0, rows: 0, untried: 0, lastTriedAt: null };

export async function countMessageSends(session: Session, { account, id }: BatchMessageKey): Promise<MessageSends> {
  const [row] = await session.query<MessageSends>(openStatement, [account, id]);
  return row ?? NO_SENDS;
}
