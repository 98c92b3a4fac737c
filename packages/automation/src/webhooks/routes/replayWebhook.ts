import { jobStarted, jobStartedExample } from "@headwater/analytics/jobs/jobSchema";
import { runOnce } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import { readTime } from "@headwater/api/paging/timeRange";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { webhookEventTypes } from "@headwater/contracts";
import { type Route, refusal } from "@headwater/http";
import { startedJob } from "@headwater/jobs/queue/startedJob";
import { startJob } from "@headwater/jobs/queue/startJob";
import type { RoutePorts } from "@headwater/messaging/ports";
import { z } from "zod";
import { deliveryStates } from "../delivery.ts";
import { webhooks } from "../postgres.ts";

const time = storableText(64).min(1);
const body = z.object({
  from: time.describe("Time of the first event."),
  to: time.describe("Time behind the last one."),
  states: z
    .array(z.enum(deliveryStates))
    .min(1)
    .max(deliveryStates.length)
    .optional()
    .describe("Default: `failed` and `kept`."),
  events: z.array(z.enum(webhookEventTypes)).min(1).max(webhookEventTypes.length).optional(),
});

export function replayWebhook({ postgres, clock, queue }: Pick<RoutePorts, "postgres" | "clock" | "queue">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/webhooks/{id}/replay",
    operationId: "replayWebhook",
    summary: "Starts a job that posts events of a time again, under their ids.",
    description:
      "Without `states` those that have failed, and those that were kept while the webhook was disabled. A receiver recognizes what it has by the `webhook-id`.",
    tags: ["webhooks"],
    answers: {
      202: { description: "The job has started.", schema: jobStarted, example: jobStartedExample },
      404: { description: "RECORD_NOT_FOUND: no webhook has this id." },
      409: { description: "INVALID_STATE_TRANSITION: the webhook is disabled." },
    },
    scope: "webhooks:write",
    dryRun: "checked",
    rateClass: "jobStart",
    target: "id",
    params: z.strictObject({ id: storableText(1_024) }),
    body,
    requestExample: { from: "2026-01-09T00:00:00Z", to: "2026-01-10T00:00:00Z", states: ["failed"] },
    handler: ({ params: { id: webhook }, body: { from, to, states = ["failed", "kept"], events }, once }) => {
      const { number: account, settings } = once.caller.account;
      const range = {
        from: readTime(from, "from", settings.timezone),
        to: readTime(to, "to", settings.timezone),
      };
      return runOnce(postgres, once, async (transaction) => {
        const stored = await webhooks.lock(transaction, { account, key: webhook });
        if (stored === undefined) throw refusal("RECORD_NOT_FOUND", "No webhook has this id.");
        if (!stored.enabled) throw isDisabled();
        const input = { webhook, ...range, states, ...(events !== undefined && { events }) };
        const job = { account, jobName: "ReplayWebhook", input, metadata: { webhook } } as const;
        const jobId = await startJob(transaction, queue, { ...job, madeBy: once.caller.id, nowMs: clock.nowMs() });
        const answer = startedJob(jobId);
        return { answer, kept: answer.body };
      });
    },
  });
}

function isDisabled() {
  return refusal("INVALID_STATE_TRANSITION", "A disabled webhook gets no events. Enable it first.", {
    extra: { from: "disabled", allowed: ["enabled"] },
  });
}
