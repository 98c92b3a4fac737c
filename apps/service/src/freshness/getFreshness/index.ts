import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { readFreshness } from "./handler.ts";
import { freshnessAnswer, freshnessExample, query } from "./schema.ts";

export function getFreshness(ports: AfterPorts & Pick<ServicePorts, "highWatermarks" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/freshness",
    operationId: "getFreshness",
    summary: "Returns the lag of each consumer group and both stores, in records and seconds.",
    tags: ["operations"],
    answers: { 200: { description: "The current lags.", schema: freshnessAnswer, example: freshnessExample } },
    auth: "basic",
    scope: "freshness:read",
    rateClass: "read",
    query,
    handler: async ({ query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readFreshness(ports);
    },
  });
}
