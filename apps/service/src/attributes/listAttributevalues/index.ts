import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, RoutePorts } from "../../ports.ts";
import { keyParams } from "../definitionShape.ts";
import { readValues } from "./handler.ts";
import { query, valuesAnswer, valuesExample } from "./schema.ts";

export function listAttributevalues(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "freshness" | "postgres">,
): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accountcontactattributes/{key}/values",
    operationId: "listAttributevalues",
    summary: "Returns the most frequent values of an attribute and the number of contacts without a value.",
    tags: ["accountcontactattributes"],
    answers: {
      200: { description: "The values with their counts.", schema: valuesAnswer, example: valuesExample },
      404: { description: "RECORD_NOT_FOUND: no attribute has this key." },
    },
    auth: "basic",
    scope: "accountcontactattributes:read",
    rateClass: "read",
    params: keyParams,
    query,
    handler: async ({ params: { key }, query: { after, limit, as }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "analytics", signal }, ports);
      return readValues({ key, limit, as, account: caller.account }, ports);
    },
  });
}
