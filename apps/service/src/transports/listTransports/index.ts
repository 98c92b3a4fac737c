import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listTransportsOf } from "./handler.ts";
import { query, transportsAnswer, transportsExample } from "./schema.ts";

export function listTransports(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres" | "sealer">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/transports",
    operationId: "listTransports",
    summary: "Lists transports in order of creation.",
    tags: ["transports"],
    answers: { 200: { description: "A page of transports.", schema: transportsAnswer, example: transportsExample } },
    auth: "basic",
    scope: "transports:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listTransportsOf(given, caller.account, ports);
    },
  });
}
