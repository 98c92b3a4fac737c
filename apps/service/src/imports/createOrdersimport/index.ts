import type { Route } from "@headwater/http";
import { jobStarted, jobStartedExample } from "../../jobs/jobSchema.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { anyBody, parseClosed } from "../closedBody.ts";
import { type ImportPorts, startImport } from "../startImport.ts";
import { body, memberNames, requestExample } from "./schema.ts";

export function createOrdersimport(ports: ImportPorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/ordersimport",
    operationId: "createOrdersimport",
    summary: "Starts a job that imports orders from an uploaded file.",
    description:
      "Each line of the file is JSON: the body of `POST /v2/orders`. Orders are upserted by `orderID`, in the order of the file. A line about an unknown contact is rejected, unless `canBeCreated` is true.",
    tags: ["imports"],
    answers: {
      202: { description: "The job has started.", schema: jobStarted, example: jobStartedExample },
      422: { description: "IMPORT_CONFIGURATION_ERROR: the source or an option cannot be used. Nothing was started." },
    },
    requestExample,
    scope: "ordersimport:write",
    rateClass: "jobStart",
    body: anyBody,
    documentedBody: body,
    handler: ({ body: given, once }) => {
      const request = parseClosed(body, given, memberNames);
      const { source: _source, confirmEmail: _mail, ...options } = request;
      return startImport(
        { jobName: "ImportOrders", once, request, isJsonOnly: true, inputOf: (upload) => ({ upload, ...options }) },
        ports,
      );
    },
  });
}
