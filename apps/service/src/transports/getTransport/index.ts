import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { transportExample, transportParams, transportShape } from "../transportView.ts";
import { readOneTransport } from "./handler.ts";
import { query } from "./schema.ts";

export function getTransport(ports: AfterPorts & Pick<ServicePorts, "postgres" | "sealer">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/transports/{id}",
    operationId: "getTransport",
    summary: "Returns a transport by its id.",
    tags: ["transports"],
    answers: {
      200: { description: "The transport.", schema: transportShape.partial(), example: transportExample },
      404: { description: "RECORD_NOT_FOUND: no transport has this id." },
    },
    auth: "basic",
    scope: "transports:read",
    rateClass: "read",
    params: transportParams,
    query,
    handler: async ({ params: { id }, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneTransport({ id, fields }, caller.account, ports);
    },
  });
}
