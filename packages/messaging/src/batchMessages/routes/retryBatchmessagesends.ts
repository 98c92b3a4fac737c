import { jobStarted, jobStartedExample } from "@headwater/analytics/jobs/jobSchema";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import { startedJob } from "@headwater/jobs/queue/startedJob";
import { startJob } from "@headwater/jobs/queue/startJob";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { readFrozenMessage } from "../../frozen/frozenMessage.ts";
import { lockBatchMessage, type StoredBatchMessage } from "../batchMessages.ts";
import { readFrozenMessages } from "../frozenMessages.ts";
import type { StatePorts } from "../messagePorts.ts";
import { messageParams, unknownMessage } from "../messageView.ts";
import { refuseChild } from "../refuseChild.ts";
import { RETRIED_STATES } from "../retrySends.ts";
import { type BatchMessageStatus, callsAllowed } from "../transitions.ts";
import { outwardTransport } from "./sendBatchmessage.ts";

const body = z.object({
  states: z.array(z.enum(RETRIED_STATES)).min(1).max(RETRIED_STATES.length),
});
type RetryBody = z.output<typeof body>;

const requestExample: RetryBody = { states: ["failed", "unknown"] };

interface RetryCall extends RetryBody {
  readonly id: string;
}

const RETRIED_IN: ReadonlySet<BatchMessageStatus> = new Set(["processing", "sent"]);

/**
 * Starts the job that tries sends again. Throws 404 `RECORD_NOT_FOUND`, 409 `INVALID_STATE_TRANSITION`, 422 `TRANSPORT_REQUIRED`.
 */
function retrySendsOf(
  once: OnceCall,
  { id, states }: RetryCall,
  { postgres, clock, queue }: Pick<StatePorts, "clock" | "postgres" | "queue">,
): Promise<Answer> {
  const account = once.caller.account.number;
  return runOnce(postgres, once, async (transaction) => {
    await refuseChild(transaction, { account, id, call: "sends/retry", nowMs: clock.nowMs() });
    const message = await lockBatchMessage(transaction, account, id);
    if (message === undefined) throw unknownMessage();
    if (!RETRIED_IN.has(message.status)) throw notNow(message);
    await checkTransport(transaction, message);
    const input = { message: id, states: [...new Set(states)] };
    const job = { account, jobName: "RetryBatchMessage", input, metadata: input } as const;
    const jobId = await startJob(transaction, queue, { ...job, madeBy: once.caller.id, nowMs: clock.nowMs() });
    const answer = startedJob(jobId);
    return { answer, kept: answer.body };
  });
}

function notNow({ status: from }: StoredBatchMessage) {
  return refusal("INVALID_STATE_TRANSITION", `Sends of a message that is ${from} are not tried again.`, {
    extra: { from, allowed: callsAllowed(from) },
  });
}

/** Sends go out by the transport that the message was frozen with. */
async function checkTransport(transaction: Transaction, { account, id, channel }: StoredBatchMessage): Promise<void> {
  const [begun] = await readFrozenMessages(transaction, account, [id]);
  if (begun === undefined) return;
  const { transportId } = readFrozenMessage(begun.frozen);
  await outwardTransport(transaction, { account, channel, transportId });
}

export function retryBatchmessagesends(ports: Pick<StatePorts, "clock" | "postgres" | "queue">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/batchmessages/{id}/sends/retry",
    operationId: "retryBatchmessagesends",
    summary: "Starts a job that tries sends that have failed, are unknown or deferred again.",
    description:
      "The message stays `sent`. Each send is tried again at most once a call, by the same decisions as at first: who has unsubscribed, is suppressed or was erased meanwhile is skipped. An `unknown` send may have arrived; its contact then gets the message twice, under the same `Message-ID`. Canceling the job gives sends that were not begun their former state. Days and hours of templates are a 409: what a call said to its sends is deleted once all of them have ended. Send from the template again.",
    tags: ["batchmessages"],
    answers: {
      202: { description: "The job has started.", schema: jobStarted, example: jobStartedExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
      409: {
        description:
          "INVALID_STATE_TRANSITION: the message is neither `sent` nor `processing`, or it is a day or an hour of a template.",
      },
      422: { description: "TRANSPORT_REQUIRED: its transport is gone or disabled; VALIDATION_ERROR" },
    },
    scope: "batchmessages:write",
    dryRun: { class: "checked", starts: () => "unknown" },
    rateClass: "jobStart",
    target: "id",
    params: messageParams,
    body,
    requestExample,
    handler: ({ params: { id }, body: { states }, once }) => retrySendsOf(once, { id, states }, ports),
  });
}
