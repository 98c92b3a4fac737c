import { waitForAfter } from "@headwater/api/consistency/after";
import { PAGE_BYTES_NOTE } from "@headwater/api/paging/pageBytes";
import type { AfterPorts } from "@headwater/api/ports";
import { defineRoute, type Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { listActivities } from "./handler.ts";
import { activitiesAnswer, activitiesExample, query } from "./schema.ts";

export function listContactactivities(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "postgres">,
): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contactactivities",
    operationId: "listContactactivities",
    summary: "Lists activities, filtered by contact, action, message and time.",
    description: PAGE_BYTES_NOTE,
    tags: ["contactactivities"],
    answers: { 200: { description: "A page of activities.", schema: activitiesAnswer, example: activitiesExample } },
    auth: "basic",
    scope: "contactactivities:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "activities", signal }, ports);
      return listActivities(given, caller.account, ports);
    },
  });
}
