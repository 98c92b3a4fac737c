import { defineRoute, type Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { discardSelection } from "./handler.ts";
import { body, discardAnswer, requestExample } from "./schema.ts";

export function discardDeadletters(ports: ServicePorts): Route {
  return defineRoute({
    method: "POST",
    path: "/v2/deadletters/discard",
    operationId: "discardDeadletters",
    summary: "Closes a selection of rejected records without writing them, with a reason.",
    tags: ["deadletters"],
    answers: { 200: { description: "How many were closed.", schema: discardAnswer, example: { discarded: 1 } } },
    requestExample,
    auth: "basic",
    scope: "deadletters:write",
    rateClass: "write",
    body,
    handler: ({ body: request, caller, signal }) => discardSelection(request, caller, { ...ports, signal }),
  });
}
