import type { Route } from "@headwater/http";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import type { SendPorts } from "../messagePorts.ts";
import { messageParams, stateExample, stateShape } from "../messageView.ts";
import { sendMessage } from "./handler.ts";

export function sendBatchmessage(ports: SendPorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/batchmessages/{id}/send",
    operationId: "sendBatchmessage",
    summary: "Sends a draft at once, or at its schedule.",
    description:
      "The content is rendered for a contact of the audience first, and a promotional email must hold the link `links.unsubscribe`. An empty audience is a 422 unless `allowEmpty` is set. A message that is scheduled, pending or processing already stays so.",
    tags: ["batchmessages"],
    answers: {
      200: {
        description: "The message is `scheduled`, `pending` until a worker takes it, or `processing` already.",
        schema: stateShape,
        example: { ...stateExample, status: "pending", jobId: "65f0c0ffee65f0c0ffee0301" },
      },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
      409: { description: "INVALID_STATE_TRANSITION with `from` and `allowed`, or VERSION_CONFLICT" },
      422: { description: "TRANSPORT_REQUIRED, INVALID_AUDIENCE_RULES or VALIDATION_ERROR" },
    },
    scope: "batchmessages:write",
    target: "id",
    params: messageParams,
    ifMatch: true,
    handler: ({ params: { id }, once, signal, header }) =>
      sendMessage(once, { id, ifMatch: header("if-match"), signal }, ports),
  });
}
