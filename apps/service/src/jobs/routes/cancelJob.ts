import { isFinalJob, type JobName, jobInputs, jobStatuses } from "@headwater/contracts";
import { judgeCall } from "@headwater/domain/batchMessage";
import { type Answer, type Route, refusal } from "@headwater/http";
import { cancelRetry, lockBatchMessage } from "@headwater/stores/batchMessages";
import { cancelRedrive, readRedrive } from "@headwater/stores/deadLetters";
import { endJob, type Job, lockJobOf } from "@headwater/stores/jobs";
import type { Transaction } from "@headwater/stores/postgres";
import { endTemplateRun } from "@headwater/stores/triggers";
import { z } from "zod";
import { successShape } from "../../answers/success.ts";
import { cancelMessage } from "../../batchMessages/cancelMessage.ts";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import { storableText } from "../../paging/query.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";

const params = z.strictObject({ id: storableText(64) });
const cancelAnswer = successShape.extend({ id: z.string(), status: z.enum(jobStatuses) });
const cancelExample = { success: true, id: "65f0c0ffee65f0c0ffee0001", status: "Canceled" };

/**
 * Ends a job between two of its steps: what was done stays. The worker of an import goes on counting what is in the log. One that is
 * cancelled already is no error.
 * Throws 404 `RECORD_NOT_FOUND`, 409 `INVALID_STATE_TRANSITION` for one that is over or cannot be cancelled.
 */
function cancelOneJob(
  id: string,
  once: OnceCall,
  { postgres, clock }: Pick<ServicePorts, "postgres" | "clock">,
): Promise<Answer> {
  return runOnce(postgres, once, async (transaction) => {
    await cancel(transaction, { account: once.caller.account.number, id, at: clock.nowMs() });
    const body = { success: true, id, status: "Canceled" };
    return { answer: { status: 200, body }, kept: body };
  });
}

/** Left half done it would leave what is to be forgotten. */
const ERASURE = "DeleteContact" satisfies JobName;

const SEND = "SendBatchMessage" satisfies JobName;

const RETRY = "RetryBatchMessage" satisfies JobName;

const RUN = "SendAutomationTemplate" satisfies JobName;

interface Cancelling {
  readonly account: number;
  readonly id: string;
  readonly at: number;
}

/** A step that is under way holds the job: this waits for its end. */
async function cancel(transaction: Transaction, { account, id, at: asked }: Cancelling): Promise<void> {
  const job = await lockJobOf(transaction, account, id);
  if (job === undefined) return cancelAsRedrive(transaction, { account, id, at: asked });
  // A worker may have taken it while this waited for the lock, or its clock is ahead.
  const at = Math.max(asked, job.startedAt ?? asked);
  if (job.status === "Canceled") return;
  if (job.name === SEND && !isFinalJob(job.status)) return cancelMessageOf(transaction, job, at);
  if (job.name === ERASURE) throw notNow("An erasure cannot be canceled: the contact is already erased.", job.status);
  if (isFinalJob(job.status)) throw notNow(`The job has already ended: ${job.status}.`, job.status);
  if (job.name === RETRY) await cancelRetryOf(transaction, job, at);
  if (job.name === RUN) await cancelRunOf(transaction, job, at);
  await endJob(transaction, job, { status: "Canceled", at });
}

/** Sends that were not begun again get their former state back. */
async function cancelRetryOf(transaction: Transaction, { account, id: job, input }: Job, at: number): Promise<void> {
  const { message: id } = jobInputs[RETRY].parse(input);
  await lockBatchMessage(transaction, account, id);
  await cancelRetry(transaction, { account, id, job }, at);
}

/** Ends a run of a recurring trigger: nothing more is intended for it. */
function cancelRunOf(transaction: Transaction, { account, input }: Job, at: number): Promise<void> {
  const { run: id } = jobInputs[RUN].parse(input);
  return endTemplateRun(transaction, { account, id, isCanceled: true }, at);
}

/** Cancels the message that a job sends, and the job with it. */
async function cancelMessageOf(transaction: Transaction, job: Job, at: number): Promise<void> {
  const { message: id } = jobInputs[SEND].parse(job.input);
  const message = await lockBatchMessage(transaction, job.account, id);
  if (message?.job === job.id && judgeCall(message.status, "cancel").kind === "go") {
    await cancelMessage(transaction, { message, job }, at);
  } else await endJob(transaction, job, { status: "Canceled", at });
}

/** It takes no more dead letters; up to 500 that are on their way into the log go there. */
async function cancelAsRedrive(transaction: Transaction, cancelling: Cancelling): Promise<void> {
  if (await cancelRedrive(transaction, cancelling)) return;
  const redrive = await readRedrive(transaction, cancelling.account, cancelling.id);
  if (redrive === undefined) throw refusal("RECORD_NOT_FOUND", "No job has this id.");
  throw notNow("The job has already ended: Done.", "Done");
}

function notNow(message: string, from: string) {
  return refusal("INVALID_STATE_TRANSITION", message, { extra: { from, allowed: [] } });
}

export function cancelJob(ports: Pick<ServicePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/jobs/{id}/cancel",
    operationId: "cancelJob",
    summary:
      "Cancels a job between two steps. Completed steps are not undone. An import counts on, with `metadata.counting`, until each row that is in the log has its end.",
    tags: ["jobs"],
    answers: {
      200: { description: "The job is canceled.", schema: cancelAnswer, example: cancelExample },
      404: { description: "RECORD_NOT_FOUND: no job has this id." },
      409: { description: "INVALID_STATE_TRANSITION: the job has ended, or is an erasure, which cannot be canceled." },
    },
    scope: "jobs:write",
    target: "id",
    params,
    handler: ({ params: { id }, once }) => cancelOneJob(id, once, ports),
  });
}
