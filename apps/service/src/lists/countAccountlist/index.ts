import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { countList } from "./handler.ts";
import { countAnswer, params, query } from "./schema.ts";

export function countAccountlist(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accountlists/{id}/count",
    operationId: "countAccountlist",
    summary: "Counts the contacts on a list.",
    tags: ["accountlists"],
    answers: { 200: { description: "The count.", schema: countAnswer, example: { count: 412 } } },
    auth: "basic",
    scope: "accountlists:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { id }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return countList(id, caller.account, ports);
    },
  });
}
