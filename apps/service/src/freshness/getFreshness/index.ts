import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { readFreshness } from "./handler.ts";
import { freshnessAnswer, freshnessExample, query } from "./schema.ts";

export function getFreshness(
  ports: AfterPorts & Pick<ServicePorts, "highWatermarks" | "postgres" | "sampleLog">,
): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/freshness",
    operationId: "getFreshness",
    summary: "Returns the lag of each consumer group, both stores and the account, in records and seconds.",
    description:
      "`account.pending` counts the account's own records that have no end yet, parked ones included; `account.seconds` is the greatest lag of the partitions that hold them.",
    tags: ["operations"],
    answers: { 200: { description: "The current lags.", schema: freshnessAnswer, example: freshnessExample } },
    auth: "basic",
    scope: "freshness:read",
    rateClass: "read",
    query,
    handler: async ({ query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readFreshness({ account: caller.account.number, signal }, ports);
    },
  });
}
