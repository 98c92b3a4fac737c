import { type BatchMessageStatus, callsAllowed } from "@headwater/domain/batchMessage";
import { type Answer, refusal } from "@headwater/http";
import { readFrozenMessage } from "@headwater/messaging";
import { lockBatchMessage, readFrozenMessages, type StoredBatchMessage } from "@headwater/stores/batchMessages";
import { startJob } from "@headwater/stores/jobs";
import type { Transaction } from "@headwater/stores/postgres";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import { startedJob } from "../../jobs/startedJob.ts";
import type { StatePorts } from "../messagePorts.ts";
import { unknownMessage } from "../messageView.ts";
import { refuseChild } from "../refuseChild.ts";
import { outwardTransport } from "../sendBatchmessage/outwardTransport.ts";
import type { RetryBody } from "./schema.ts";

export interface RetryCall extends RetryBody {
  readonly id: string;
}

const RETRIED_IN: ReadonlySet<BatchMessageStatus> = new Set(["processing", "sent"]);

/**
 * Starts the job that tries sends again. Throws 404 `RECORD_NOT_FOUND`, 409 `INVALID_STATE_TRANSITION`, 422 `TRANSPORT_REQUIRED`.
 */
export function retrySendsOf(
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
