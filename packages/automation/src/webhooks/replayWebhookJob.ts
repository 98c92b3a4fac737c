import { defineJob, type StepEnd } from "@headwater/jobs/runner/jobKind";
import { z } from "zod";
import { replayDeliveries } from "./deliveryReads.ts";
import { webhooks } from "./postgres.ts";

const ROWS_AT_ONCE = 1_000;

const progressShape = z.object({ after: z.object({ at: z.number(), event: z.string() }), queued: z.number() });
type ReplayProgress = z.output<typeof progressShape>;

/**
 * Makes deliveries of a webhook due again, one event after the other. Each is queued in the transaction that remembers how far the job is,
 * so once a job.
 */
export const replayWebhookJob = defineJob({
  jobName: "ReplayWebhook",
  progress: progressShape,
  async step({ account, input, progress, nowMs }, transaction): Promise<StepEnd<ReplayProgress>> {
    const { webhook, from, to, states, events: types } = input;
    const stored = await webhooks.lock(transaction, { account: account.number, key: webhook });
    if (stored === undefined) return failed("RECORD_NOT_FOUND", "The webhook was deleted.");
    if (!stored.enabled) return failed("INVALID_STATE_TRANSITION", "The webhook was disabled.");
    const { after, queued: before } = progress ?? { after: { at: from, event: "" }, queued: 0 };
    const page = { account: account.number, webhook, after, to, states, types, rowsMax: ROWS_AT_ONCE, nowMs };
    const { queued: more, after: next } = await replayDeliveries(transaction, page);
    const queued = before + more;
    const report = { totalItems: queued, completedItems: queued, result: { totalRecords: queued, updated: queued } };
    if (next === undefined) return { kind: "done", ...report };
    return { kind: "more", progress: { after: next, queued }, ...report };
  },
});

function failed(code: "RECORD_NOT_FOUND" | "INVALID_STATE_TRANSITION", message: string) {
  return { kind: "failed", error: { code, message } } as const;
}
