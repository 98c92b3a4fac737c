import type { Route } from "@headwater/http";
import { orFirstAnswer } from "../../idempotency/runOnce.ts";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { exportStarted } from "../exportMembers.ts";
import type { ExportPorts } from "../startExport.ts";
import { startActivityExport } from "./handler.ts";
import { body, documentedBody, requestExample } from "./schema.ts";

export function createActivityexport(ports: ExportPorts & Pick<ServicePorts, "clickHouse">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contactactivityexport",
    operationId: "createActivityexport",
    summary: "Starts a job that exports activities to files.",
    description:
      "A row for each activity of the timeframe, or since a watermark. An increment from one export's watermark to the next holds exactly what was first seen between them: none twice, none missing. `cID` and `email` are those of the contact the activity belongs to now.",
    tags: ["contactactivityexport"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR or INVALID_AUDIENCE_RULES, with all that is wrong." },
    },
    requestExample,
    scope: "contactactivityexport:read",
    rateClass: "jobStart",
    body,
    documentedBody,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startActivityExport(request, once, ports)),
  });
}
