import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { accountingOf } from "./handler.ts";
import { accountingAnswer, accountingExample, query } from "./schema.ts";

export function getAccounting(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accounting",
    operationId: "getAccounting",
    summary: "Returns the outcomes of all accepted records, by hour and operation.",
    description:
      "`accepted` is counted from the log, the other numbers where the outcomes are stored. `balanced` is false when the sums of a row differ: a record was lost or processed twice.",
    tags: ["operations"],
    answers: {
      200: { description: "The requested hours.", schema: accountingAnswer, example: accountingExample },
      422: { description: "VALIDATION_ERROR: the range starts before the retained hours or is too long." },
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
