import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts } from "../../ports.ts";
import type { PerformancePorts } from "../experimentNumbers.ts";
import { messageParams } from "../messageView.ts";
import { readPerformance } from "./handler.ts";
import { performanceAnswer, performanceExample, query } from "./schema.ts";

export function getExperimentperformance(ports: AfterPorts & PerformancePorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/batchmessages/{id}/experimentperformance",
    operationId: "getExperimentperformance",
    summary: "Returns the numbers of a batch message's experiment by variant.",
    description: "Opens and clicks of machines are left out. A variant that nobody got yet has zeros.",
    tags: ["batchmessages"],
    answers: {
      200: { description: "The numbers.", schema: performanceAnswer, example: performanceExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id, or it has no enabled experiment." },
    },
    auth: "basic",
    scope: "batchmessages:read",
    rateClass: "read",
    params: messageParams,
    query,
    handler: async ({ params: { id }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "analytics", signal }, ports);
      return readPerformance({ id, account: caller.account, signal }, ports);
    },
  });
}
