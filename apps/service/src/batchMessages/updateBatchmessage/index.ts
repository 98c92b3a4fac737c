import type { Route } from "@headwater/http";
import { MESSAGE_BODY_BYTES_MAX, messageWarnings } from "../../messages/messageBody.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import type { MessagePorts } from "../messagePorts.ts";
import { messageParams, messageWritten, writtenExample } from "../messageView.ts";
import { changeMessage } from "./handler.ts";
import { body, documentedBody, requestExample } from "./schema.ts";

export function updateBatchmessage(ports: MessagePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/batchmessages/{id}",
    operationId: "updateBatchmessage",
    summary: "Updates a draft of a batch message.",
    description:
      "Absent members stay; `null` removes one, or gives it its usual value. `message` and `tests` are replaced as a whole. `audience` takes the place of `audience-key`, and the other way round.",
    tags: ["batchmessages"],
    answers: {
      200: { description: "The updated draft.", schema: messageWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
      422: { description: "MESSAGE_NOT_DRAFT, VALIDATION_ERROR or INVALID_AUDIENCE_RULES" },
    },
    scope: "batchmessages:write",
    target: "id",
    params: messageParams,
    body,
    warnsOf: messageWarnings,
    documentedBody,
    bodyBytesMax: MESSAGE_BODY_BYTES_MAX,
    requestExample,
    ifMatch: true,
    handler: ({ params: { id }, body: changes, once, header }) =>
      changeMessage(once, { id, changes, ifMatch: header("if-match") }, ports),
  });
}
