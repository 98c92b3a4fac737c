import { orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import type { RoutePorts } from "../../ports.ts";
import { exportStarted } from "../exportMembers.ts";
import type { ExportPorts } from "../startExport.ts";
import { startTrendsExport } from "./handler.ts";
import { body, documentedBody, requestExample } from "./schema.ts";

export function createAudiencetrendsexport(ports: ExportPorts & Pick<RoutePorts, "clickHouse">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/audiencetrendsexport",
    operationId: "createAudiencetrendsexport",
    summary: "Starts a job that exports how many contacts audiences had over time.",
    description:
      "A row for each audience, segment and stretch of time between two moments, also for criteria written today: `count` is what a count with `asOf` of its `to` answers, `entered` and `left` are the contacts that were in at one end of it only. The job's `metadata.data` holds the rows when there are at most 1,000.",
    tags: ["audiencetrendsexport"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR or INVALID_AUDIENCE_RULES, with all that is wrong." },
    },
    requestExample,
    scope: "audiencetrendsexport:read",
    rateClass: "jobStart",
    body,
    documentedBody,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startTrendsExport(request, once, ports)),
  });
}
