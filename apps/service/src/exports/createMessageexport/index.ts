import type { Route } from "@headwater/http";
import { orFirstAnswer } from "../../idempotency/runOnce.ts";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { exportStarted } from "../exportMembers.ts";
import type { ExportPorts } from "../startExport.ts";
import { startMessageExport } from "./handler.ts";
import { body, documentedBody, requestExample } from "./schema.ts";

export function createMessageexport(ports: ExportPorts & Pick<ServicePorts, "clickHouse">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/messageanalyticsexport",
    operationId: "createMessageexport",
    summary: "Starts a job that exports the numbers of messages.",
    description:
      "A row for each message with its facts, stats and rates. Up to 1,000 rows stand in the job's `metadata.data` as well.",
    tags: ["messageanalyticsexport"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR, with all that is wrong." },
    },
    requestExample,
    scope: "messageanalyticsexport:read",
    rateClass: "jobStart",
    body,
    documentedBody,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startMessageExport(request, once, ports)),
  });
}
