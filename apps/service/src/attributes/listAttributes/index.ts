import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listDefinitions } from "./handler.ts";
import { definitionsAnswer, definitionsExample, query } from "./schema.ts";

export function listAttributes(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accountcontactattributes",
    operationId: "listAttributes",
    summary: "Lists the definitions of contact attributes, ordered by key or by name.",
    tags: ["accountcontactattributes"],
    answers: { 200: { description: "A page of definitions.", schema: definitionsAnswer, example: definitionsExample } },
    auth: "basic",
    scope: "accountcontactattributes:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listDefinitions(given, caller.account, ports);
    },
  });
}
