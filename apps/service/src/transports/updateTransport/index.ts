import type { Route } from "@headwater/http";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import type { TransportPorts } from "../transportPorts.ts";
import { transportParams, transportWritten, writtenExample } from "../transportView.ts";
import { changeTransport } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

export function updateTransport(ports: TransportPorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/transports/{id}",
    operationId: "updateTransport",
    summary: "Updates a transport. Absent members stay unchanged.",
    description:
      "`settings` go into those that are stored: `null` removes one, a secret written back as `{set, last4}` stays. `channel` and `type` cannot be changed.",
    tags: ["transports"],
    answers: {
      200: { description: "The updated transport.", schema: transportWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no transport has this id." },
    },
    scope: "transports:write",
    target: "id",
    params: transportParams,
    body,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { id }, body: changes, once, header }) =>
      changeTransport(once, { id, changes, ifMatch: header("if-match") }, ports),
  });
}
