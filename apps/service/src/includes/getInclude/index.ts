import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { includeExample, includeParams, includeShape } from "../includeView.ts";
import { readOneInclude } from "./handler.ts";
import { query } from "./schema.ts";

export function getInclude(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/includes/{key}",
    operationId: "getInclude",
    summary: "Returns an include by its key.",
    tags: ["includes"],
    answers: { 200: { description: "The include.", schema: includeShape.partial(), example: includeExample } },
    auth: "basic",
    scope: "includes:read",
    rateClass: "read",
    params: includeParams,
    query,
    handler: async ({ params: { key }, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneInclude({ key, fields }, caller.account, ports);
    },
  });
}
