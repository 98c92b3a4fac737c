import type { Route } from "@headwater/http";
import { jobStarted, jobStartedExample } from "../../jobs/jobSchema.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import type { StatePorts } from "../messagePorts.ts";
import { messageParams } from "../messageView.ts";
import { retrySendsOf } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

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
    rateClass: "jobStart",
    target: "id",
    params: messageParams,
    body,
    requestExample,
    handler: ({ params: { id }, body: { states }, once }) => retrySendsOf(once, { id, states }, ports),
  });
}
