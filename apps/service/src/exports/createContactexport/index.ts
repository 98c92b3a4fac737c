import type { Route } from "@headwater/http";
import { orFirstAnswer } from "../../idempotency/runOnce.ts";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { exportStarted } from "../exportMembers.ts";
import type { ExportPorts } from "../startExport.ts";
import { startContactExport } from "./handler.ts";
import { body, documentedBody, requestExample } from "./schema.ts";

export function createContactexport(ports: ExportPorts & Pick<ServicePorts, "clickHouse">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contactexports",
    operationId: "createContactexport",
    summary: "Starts a job that exports contacts to files.",
    description:
      "A column for each of `fields` and `lists`, a row for each contact of the audience or criteria, in order of their creation. The files hold everything that was acknowledged before this call. The job's `metadata` has `files` with links, `manifest` and `watermark`, whose token a later export takes as `since`.",
    tags: ["contactexports"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR or INVALID_AUDIENCE_RULES, with all that is wrong." },
    },
    requestExample,
    scope: "contactexports:read",
    rateClass: "jobStart",
    body,
    documentedBody,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startContactExport(request, once, ports)),
  });
}
