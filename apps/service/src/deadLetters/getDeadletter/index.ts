import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { deadLetterAnswer, deadLetterExample } from "../deadLetterView.ts";
import { readOneDeadletter } from "./handler.ts";
import { params, query } from "./schema.ts";

export function getDeadletter(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/deadletters/{id}",
    operationId: "getDeadletter",
    summary: "Returns a rejected record with its payload, cause, origin and history.",
    tags: ["deadletters"],
    answers: { 200: { description: "The record.", schema: deadLetterAnswer, example: deadLetterExample } },
    auth: "basic",
    scope: "deadletters:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { id }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneDeadletter(id, caller.account, ports);
    },
  });
}
