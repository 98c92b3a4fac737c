import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listTables } from "./handler.ts";
import { query, tablesAnswer, tablesExample } from "./schema.ts";

export function listSupplements(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/supplements",
    operationId: "listSupplements",
    summary: "Lists supplement tables, ordered by key or by name.",
    tags: ["supplements"],
    answers: { 200: { description: "A page of tables.", schema: tablesAnswer, example: tablesExample } },
    auth: "basic",
    scope: "supplements:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listTables(given, caller.account, ports);
    },
  });
}
