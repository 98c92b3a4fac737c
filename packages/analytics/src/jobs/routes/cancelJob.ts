import { successShape } from "@headwater/api/answers/success";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { isFinalJob, type JobName, jobStatuses } from "@headwater/contracts";
import { type Answer, type Route, refusal } from "@headwater/http";
import { cancelRedrive, readRedrive } from "@headwater/intake/deadLetters/redrives";
import { endJob, lockJobOf } from "@headwater/jobs/queue/jobs";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import type { JobCancels } from "../jobCancels.ts";

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
  { postgres, clock, jobCancels }: Pick<RoutePorts, "postgres" | "clock" | "jobCancels">,
): Promise<Answer> {
  return runOnce(postgres, once, async (transaction) => {
    await cancel(transaction, { account: once.caller.account.number, id, at: clock.nowMs() }, jobCancels);
    const body = { success: true, id, status: "Canceled" };
    return { answer: { status: 200, body }, kept: body };
  });
}

/** Left half done it would leave what is to be forgotten. */
const ERASURE = "DeleteContact" satisfies JobName;

interface Cancelling {
  readonly account: number;
  readonly id: string;
  readonly at: number;
}

/** A step that is under way holds the job: this waits for its end. */
async function cancel(
  transaction: Transaction,
  { account, id, at: asked }: Cancelling,
  jobCancels: JobCancels,
): Promise<void> {
  const job = await lockJobOf(transaction, account, id);
  if (job === undefined) return cancelAsRedrive(transaction, { account, id, at: asked });
  // A worker may have taken it while this waited for the lock, or its clock is ahead.
  const at = Math.max(asked, job.startedAt ?? asked);
  if (job.status === "Canceled") return;
  if (job.name === ERASURE) throw notNow("An erasure cannot be canceled: the contact is already erased.", job.status);
  if (isFinalJob(job.status)) throw notNow(`The job has already ended: ${job.status}.`, job.status);
  if ((await jobCancels[job.name]?.(transaction, job, at)) === "ended") return;
  await endJob(transaction, job, { status: "Canceled", at });
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

export function cancelJob(ports: Pick<RoutePorts, "clock" | "postgres" | "jobCancels">): Route {
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
    dryRun: "rolledBack",
    target: "id",
    params,
    handler: ({ params: { id }, once }) => cancelOneJob(id, once, ports),
  });
}
