import { type Job, lockJobOf } from "@headwater/jobs/queue/jobs";
import type { Transaction } from "@headwater/postgres/connection/session";
import { WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { lockBatchMessage, readBatchMessage, type StoredBatchMessage } from "./batchMessages.ts";
import { unknownMessage } from "./messageView.ts";

export interface LockedMessage {
  readonly message: StoredBatchMessage;
  /** Job of its last start. */
  readonly job: Job | undefined;
}

/**
 * Locks a message and its job, in the order in which a worker locks them. Throws 404 `RECORD_NOT_FOUND`; `WriteConflict` when the message
 * was started or unscheduled meanwhile: its job can no longer be locked in order, so the transaction is to run again.
 */
export async function lockMessageAndJob(transaction: Transaction, account: number, id: string): Promise<LockedMessage> {
  const found = await readBatchMessage(transaction, account, id);
  if (found === undefined) throw unknownMessage();
  const job = found.job === null ? undefined : await lockJobOf(transaction, account, found.job);
  const message = await lockBatchMessage(transaction, account, id);
  if (message === undefined) throw unknownMessage();
  if (message.job === found.job) return { message, job };
  throw new WriteConflict("the message has another job than a moment ago");
}
