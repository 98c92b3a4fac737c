import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { documentExample, shownDocument } from "../accountDocument.ts";
import { readAccount } from "./handler.ts";
import { query } from "./schema.ts";

export function getAccount(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/account",
    operationId: "getAccount",
    summary: "Returns the account's settings. Secrets show only their last four characters.",
    tags: ["account"],
    answers: { 200: { description: "The account.", schema: shownDocument, example: documentExample } },
    auth: "basic",
    scope: "account:read",
    rateClass: "read",
    query,
    handler: async ({ query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readAccount(caller.account, ports);
    },
  });
}
