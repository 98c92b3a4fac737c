import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listKeys } from "./handler.ts";
import { keysAnswer, keysExample, query } from "./schema.ts";

export function listApikeys(ports: AfterPorts & Pick<ServicePorts, "apiKeys" | "cursors">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/apikeys",
    operationId: "listApikeys",
    summary: "Lists the account's active keys, without their values.",
    tags: ["apikeys"],
    answers: { 200: { description: "A page of keys.", schema: keysAnswer, example: keysExample } },
    auth: "basic",
    scope: "apikeys:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listKeys(given, caller.account, ports);
    },
  });
}
