import type { Route } from "@headwater/http";
import { orFirstAnswer } from "../../idempotency/runOnce.ts";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { exportStarted } from "../exportMembers.ts";
import type { ExportPorts } from "../startExport.ts";
import { startOrdersExport } from "./handler.ts";
import { body, documentedBody, requestExample } from "./schema.ts";

export function createOrdersexport(ports: ExportPorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/ordersexport",
    operationId: "createOrdersexport",
    summary: "Starts a job that exports orders to files.",
    description:
      "A row for each order as it is now, of those that were purchased in the timeframe where one is given. With `since`, an increment: the orders that were written behind the watermark of a former export, with `deleted` of those that were deleted. Lines of JSON can be imported again by `POST /v2/ordersimport`.",
    tags: ["ordersexport"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR, with all that is wrong." },
    },
    requestExample,
    scope: "ordersexport:read",
    rateClass: "jobStart",
    body,
    documentedBody,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startOrdersExport(request, once, ports)),
  });
}
