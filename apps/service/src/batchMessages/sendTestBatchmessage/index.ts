import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { messageParams } from "../messageView.ts";
import { testMessage } from "./handler.ts";
import { answerExample, answerShape, body, requestExample } from "./schema.ts";

export function sendTestBatchmessage(ports: Pick<ServicePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/batchmessages/{id}/sendtest",
    operationId: "sendTestBatchmessage",
    summary: "Sends a batch message as a test to up to 20 recipients.",
    description:
      'The body names recipients by an identifier: `{email: ["grace@example.com"]}`. A test leaves no activities and counts nowhere; suppressions hold. Nothing is written of the recipients, and an unknown address gets the message of an empty contact. A message that has begun is sent as it was frozen.',
    tags: ["batchmessages"],
    answers: {
      200: { description: "A verdict for each recipient.", schema: answerShape, example: answerExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
      409: { description: "INVALID_STATE_TRANSITION: the message is over." },
      422: { description: "TRANSPORT_REQUIRED or VALIDATION_ERROR" },
    },
    scope: "batchmessages:write",
    target: "id",
    params: messageParams,
    body,
    requestExample,
    handler: ({ params: { id }, body: recipients, once }) => testMessage(once, { id, recipients }, ports),
  });
}
