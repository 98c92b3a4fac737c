import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import type { TransportPorts } from "../transportPorts.ts";
import { transportParams } from "../transportView.ts";
import { dropTransport } from "./handler.ts";

export function deleteTransport(ports: Pick<TransportPorts, "postgres">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/transports/{id}",
    operationId: "deleteTransport",
    summary: "Deletes an unused transport, with its secrets.",
    description: "A transport in use is a 422 TRANSPORT_IN_USE, and `details` names the messages and templates.",
    tags: ["transports"],
    answers: {
      200: { description: "The transport is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no transport has this id." },
      422: { description: "TRANSPORT_IN_USE or IDEMPOTENCY_KEY_REUSED" },
    },
    scope: "transports:write",
    target: "id",
    params: transportParams,
    ifMatch: true,
    handler: ({ params: { id }, once, header }) => dropTransport(once, { id, ifMatch: header("if-match") }, ports),
  });
}
