import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listSuppressionsOf } from "./handler.ts";
import { query, suppressionsAnswer, suppressionsExample } from "./schema.ts";

export function listSuppressions(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/suppressions",
    operationId: "listSuppressions",
    summary: "Lists suppressed addresses and domains, the newest first.",
    tags: ["suppressions"],
    answers: {
      200: { description: "A page of suppressions.", schema: suppressionsAnswer, example: suppressionsExample },
    },
    auth: "basic",
    scope: "suppressions:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listSuppressionsOf(given, caller.account, ports);
    },
  });
}
