import type { Route } from "@headwater/http";
import { MESSAGE_BODY_BYTES_MAX, messageWarnings } from "../../messages/messageBody.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import type { MessagePorts } from "../messagePorts.ts";
import { messageWritten, writtenExample } from "../messageView.ts";
import { makeMessage } from "./handler.ts";
import { body, documentedBody, requestExample } from "./schema.ts";

export function createBatchmessage(ports: MessagePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/batchmessages",
    operationId: "createBatchmessage",
    summary: "Creates a draft of a batch message.",
    description:
      "Mistakes of the content are reported with `line` and `column`, those of the audience as `INVALID_AUDIENCE_RULES`. Nothing is sent before `/send`.",
    tags: ["batchmessages"],
    answers: {
      201: { description: "The draft was created.", schema: messageWritten, example: writtenExample },
      422: { description: "VALIDATION_ERROR, INVALID_AUDIENCE_RULES or IDEMPOTENCY_KEY_REUSED" },
    },
    scope: "batchmessages:write",
    target: "id",
    body,
    warnsOf: messageWarnings,
    documentedBody,
    bodyBytesMax: MESSAGE_BODY_BYTES_MAX,
    requestExample,
    handler: ({ body: message, once }) => makeMessage(once, message, ports),
  });
}
