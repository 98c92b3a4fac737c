import type { Transaction } from "@headwater/postgres/connection/session";
import type { BatchMessageKey } from "./batchMessages.ts";
import type { SelfPause } from "./health.ts";
import { holdMessageSends } from "./messageSends.ts";
import { setMessageStatus } from "./startMessages.ts";
import { type BatchMessageStatus, statusAfter } from "./transitions.ts";

const lockStatement = {
  name: "batch_messages_lock_status",
  text: "SELECT status FROM batch_messages WHERE account = $1 AND id = $2 FOR NO KEY UPDATE",
};

/** Pauses a message that is being sent: nothing that was not begun is sent before somebody resumes it. @returns false when it is not being sent any more. */
export async function pauseMessage(
  transaction: Transaction,
  { account, id, reason }: BatchMessageKey & { readonly reason: SelfPause },
  nowMs: number,
): Promise<boolean> {
  const [row] = await transaction.query<{ status: BatchMessageStatus }>(lockStatement, [account, id]);
  const status = row && statusAfter(row.status, "hold");
  if (status === undefined) return false;
  await holdMessageSends(transaction, { account, id });
  await setMessageStatus(transaction, { account, id, status, reason }, nowMs);
  return true;
}
