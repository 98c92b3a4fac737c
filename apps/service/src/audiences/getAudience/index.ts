import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { audienceExample, audienceParams, audienceShape } from "../audienceView.ts";
import { readOneAudience } from "./handler.ts";
import { query } from "./schema.ts";

export function getAudience(ports: AfterPorts & Pick<ServicePorts, "clickHouse" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/audiences/{key}",
    operationId: "getAudience",
    summary: "Returns a saved audience by its key or id.",
    description:
      "`problems` names what its criteria refer to that was deleted since: until it is mended, a count is a 422.",
    tags: ["audiences"],
    answers: { 200: { description: "The audience.", schema: audienceShape.partial(), example: audienceExample } },
    auth: "basic",
    scope: "audiences:read",
    rateClass: "read",
    params: audienceParams,
    query,
    handler: async ({ params: { key: named }, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneAudience({ named, fields }, caller.account, ports);
    },
  });
}
