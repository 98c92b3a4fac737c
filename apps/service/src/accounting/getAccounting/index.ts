import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { ServicePorts } from "../../ports.ts";
import { accountingOf } from "./handler.ts";
import { accountingAnswer, accountingExample, query } from "./schema.ts";

export function getAccounting(ports: ServicePorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accounting",
    operationId: "getAccounting",
    summary: "What became of every accepted record, by hour and operation.",
    description:
      "`accepted` is counted from the log, the others where they are stored; `balanced` is false when a line's sums differ, for then a record was lost or dealt with twice.",
    tags: ["operations"],
    answers: {
      200: { description: "The hours asked for.", schema: accountingAnswer, example: accountingExample },
      422: { description: "VALIDATION_ERROR: hours before the kept ones, or too many." },
    },
    auth: "basic",
    scope: "accounting:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return accountingOf(given, caller.account, { ...ports, signal });
    },
  });
}
