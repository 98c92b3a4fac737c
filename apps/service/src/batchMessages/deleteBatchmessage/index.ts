import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { messageParams } from "../messageView.ts";
import { dropMessage } from "./handler.ts";

export function deleteBatchmessage(ports: Pick<ServicePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/batchmessages/{id}",
    operationId: "deleteBatchmessage",
    summary: "Deletes a batch message that is a draft or scheduled.",
    tags: ["batchmessages"],
    answers: {
      200: { description: "The message is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
      409: { description: "INVALID_STATE_TRANSITION with `from` and `allowed`, or VERSION_CONFLICT" },
    },
    scope: "batchmessages:write",
    target: "id",
    params: messageParams,
    ifMatch: true,
    handler: ({ params: { id }, once, header }) => dropMessage(once, { id, ifMatch: header("if-match") }, ports),
  });
}
