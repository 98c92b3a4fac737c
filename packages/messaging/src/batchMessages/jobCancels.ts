import type { JobCancel } from "@headwater/analytics/jobs/jobCancels";
import { type JobName, jobInputs } from "@headwater/contracts";
import type { Job } from "@headwater/jobs/queue/jobs";
import type { Transaction } from "@headwater/postgres/connection/session";
import { endTemplateRun } from "../triggers/templateRuns.ts";
import { lockBatchMessage } from "./batchMessages.ts";
import { cancelMessage } from "./cancelMessage.ts";
import { cancelRetry } from "./retrySends.ts";
import { evaluateCall } from "./transitions.ts";

/** End of a message, a retry or a run with the job that was canceled. */
export const messageJobCancels = {
  SendBatchMessage: cancelMessageOf,
  RetryBatchMessage: cancelRetryOf,
  SendAutomationTemplate: cancelRunOf,
} satisfies Partial<Record<JobName, JobCancel>>;

/** Cancels the message that a job sends, and the job with it. */
async function cancelMessageOf(transaction: Transaction, job: Job, at: number): Promise<"ended" | undefined> {
  const { message: id } = jobInputs.SendBatchMessage.parse(job.input);
  const message = await lockBatchMessage(transaction, job.account, id);
  if (message?.job === job.id && evaluateCall(message.status, "cancel").kind === "go") {
    await cancelMessage(transaction, { message, job }, at);
    return "ended";
  }
  return undefined;
}

/** Sends that were not begun again get their former state back. */
async function cancelRetryOf(
  transaction: Transaction,
  { account, id: job, input }: Job,
  at: number,
): Promise<undefined> {
  const { message: id } = jobInputs.RetryBatchMessage.parse(input);
  await lockBatchMessage(transaction, account, id);
  await cancelRetry(transaction, { account, id, job }, at);
}

/** Ends a run of a recurring trigger: nothing more is intended for it. */
async function cancelRunOf(transaction: Transaction, { account, input }: Job, at: number): Promise<undefined> {
  const { run: id } = jobInputs.SendAutomationTemplate.parse(input);
  await endTemplateRun(transaction, { account, id, isCanceled: true }, at);
}
