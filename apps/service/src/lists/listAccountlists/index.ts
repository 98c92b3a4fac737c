import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listLists } from "./handler.ts";
import { listsAnswer, listsExample, query } from "./schema.ts";

export function listAccountlists(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accountlists",
    operationId: "listAccountlists",
    summary: "Lists contact lists.",
    description: "Counts of members are shown where `fields` names `count`, of up to 25 lists of a page.",
    tags: ["accountlists"],
    answers: { 200: { description: "A page of lists.", schema: listsAnswer, example: listsExample } },
    auth: "basic",
    scope: "accountlists:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listLists(given, caller.account, ports);
    },
  });
}
