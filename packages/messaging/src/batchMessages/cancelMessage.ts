import { isFinalJob } from "@headwater/contracts";
import { endJob } from "@headwater/jobs/queue/jobs";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { LockedMessage } from "./messageOfJob.ts";
import { stopMessage } from "./stopMessage.ts";

/** Cancels a message and its job: nothing more is intended, and what was done stays. Both are locked. */
export async function cancelMessage(
  transaction: Transaction,
  { message, job }: LockedMessage,
  nowMs: number,
): Promise<"canceled"> {
  await cancelJobOf(transaction, job, nowMs);
  await stopMessage(transaction, { account: message.account, id: message.id, status: "canceled" }, nowMs);
  return "canceled";
}

/** Ends the job of a message that is canceled, deleted or unscheduled. */
export async function cancelJobOf(transaction: Transaction, job: LockedMessage["job"], nowMs: number): Promise<void> {
  if (job === undefined || isFinalJob(job.status)) return;
  await endJob(transaction, job, { status: "Canceled", at: nowMs });
}
