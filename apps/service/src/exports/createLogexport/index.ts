import type { Route } from "@headwater/http";
import { orFirstAnswer } from "../../idempotency/runOnce.ts";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { exportStarted } from "../exportMembers.ts";
import type { ExportPorts } from "../startExport.ts";
import { startLogExport } from "./handler.ts";
import { body, documentedBody, requestExample } from "./schema.ts";

export function createLogexport(ports: ExportPorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/accountmonitorexport",
    operationId: "createLogexport",
    summary: "Starts a job that exports the account's log to files.",
    description:
      "A row for each entry of the timeframe, in order of their time: every write, job, setting, key and erasure, and counts of intake and refused calls by minute. No entry holds a value of a contact or a secret. Entries are kept for 400 days.",
    tags: ["accountmonitorexport"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR, with all that is wrong." },
    },
    requestExample,
    scope: "accountmonitorexport:read",
    rateClass: "jobStart",
    body,
    documentedBody,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startLogExport(request, once, ports)),
  });
}
