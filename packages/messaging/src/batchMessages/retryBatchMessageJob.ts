import { defineJob, type StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { transports } from "../transports/postgres.ts";
import { countRetried, retrySends } from "./retrySends.ts";
import { readFrozen } from "./sendJob/frozen.ts";
import { type Checked, checked, checkedShape, secondsToNextCheck } from "./sendJob/looks.ts";
import { lockSendingMessage } from "./startMessages.ts";

/** Contacts that a step checks. */
const ROWS_AT_ONCE = 1_000;
const PAUSED_SECONDS = 30;

const progressShape = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("rows"), after: z.number() }),
  z.object({ phase: z.literal("sending"), looked: checkedShape.optional() }),
]);
type RetryProgress = z.output<typeof progressShape>;
const BEGINNING: RetryProgress = { phase: "rows", after: 0 };
type End = StepEnd<RetryProgress>;

/**
 * Makes sends of a batch message due again, contact after contact, and waits until each of them has ended. A send is made due in the
 * transaction that remembers how far the job is, so once a job; whether its contact may still get it is decided at its intent.
 */
export const retryBatchMessageJob = defineJob({
  jobName: "RetryBatchMessage",
  progress: progressShape,
  async step({ account, input, jobId, progress = BEGINNING, nowMs }, transaction): Promise<End> {
    const message = await lockSendingMessage(transaction, { account: account.number, id: input.message });
    if (message?.status === "paused") return { kind: "wait", progress, seconds: PAUSED_SECONDS, givesWay: true };
    if (message === undefined || (message.status !== "sent" && message.status !== "processing"))
      return { kind: "done" };
    const key = { account: account.number, id: input.message, job: jobId };
    if (progress.phase === "sending") return check(transaction, key, { nowMs, before: progress.looked });
    const { transportId: transport } = readFrozen(message.frozen);
    if (
      transport !== null &&
      (await transports.lock(transaction, { account: account.number, key: transport })) === undefined
    ) {
      return {
        kind: "failed",
        error: { code: "TRANSPORT_REQUIRED", message: "The transport of the message is gone." },
      };
    }
    const rows = { ...key, states: input.states, after: progress.after, rowsMax: ROWS_AT_ONCE };
    const done = await retrySends(transaction, rows, nowMs);
    return { kind: "more", progress: done === undefined ? { phase: "sending" } : { phase: "rows", after: done.last } };
  },
});

async function check(
  transaction: Transaction,
  key: { readonly account: number; readonly id: string; readonly job: string },
  { nowMs, before }: { readonly nowMs: number; readonly before: Checked | undefined },
): Promise<End> {
  const { total, open, sent } = await countRetried(transaction, key);
  const report = { totalItems: total, completedItems: total - open, result: { totalRecords: total, updated: sent } };
  if (open === 0) return { kind: "done", ...report };
  const looked = checked([total, open, sent], nowMs, before);
  const seconds = secondsToNextCheck(looked, nowMs);
  return { kind: "wait", progress: { phase: "sending", looked }, seconds, givesWay: true, ...report };
}
