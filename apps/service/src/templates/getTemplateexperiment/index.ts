import { defineRoute, type Route } from "@headwater/http";
import type { PerformancePorts } from "../../batchMessages/experimentNumbers.ts";
import { performanceAnswer, performanceExample, query } from "../../batchMessages/getExperimentperformance/schema.ts";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts } from "../../ports.ts";
import { templateParams } from "../templateView.ts";
import { readTemplatePerformance } from "./handler.ts";

export function getTemplateexperiment(ports: AfterPorts & PerformancePorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/automationtemplates/{key}/experimentperformance",
    operationId: "getTemplateexperiment",
    summary: "Returns the numbers of a template's published experiment by variant.",
    description:
      "Sends of all days and hours since the experiment began are counted; `totalAudience` is their number. Opens and clicks of machines are left out. A variant that nobody got yet has zeros.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "The numbers.", schema: performanceAnswer, example: performanceExample },
      404: { description: "RECORD_NOT_FOUND: no template has this key, or it has no enabled experiment." },
    },
    auth: "basic",
    scope: "automationtemplates:read",
    rateClass: "read",
    params: templateParams,
    query,
    handler: async ({ params: { key }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "analytics", signal }, ports);
      return readTemplatePerformance({ key, account: caller.account, signal }, ports);
    },
  });
}
