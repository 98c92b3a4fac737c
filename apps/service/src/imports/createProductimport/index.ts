import type { Route } from "@headwater/http";
import { jobStarted, jobStartedExample } from "../../jobs/jobSchema.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { anyBody, parseClosed } from "../closedBody.ts";
import { type ImportPorts, startImport } from "../startImport.ts";
import { body, memberNames, requestExample } from "./schema.ts";

export function createProductimport(ports: ImportPorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/productimports",
    operationId: "createProductimport",
    summary: "Starts a job that imports products from an uploaded file.",
    description:
      "The file is csv, with dotted columns for parts of members (`variants.0.sku`), or lines of JSON as `POST /v2/products` takes them. Products are upserted by `productID`.",
    tags: ["imports"],
    answers: {
      202: { description: "The job has started.", schema: jobStarted, example: jobStartedExample },
      422: { description: "IMPORT_CONFIGURATION_ERROR: the source or an option cannot be used. Nothing was started." },
    },
    requestExample,
    scope: "productimports:write",
    rateClass: "jobStart",
    body: anyBody,
    documentedBody: body,
    handler: ({ body: given, once }) => {
      const request = parseClosed(body, given, memberNames);
      const { source: _source, confirmEmail: _mail, ...options } = request;
      return startImport(
        { jobName: "ImportProducts", once, request, inputOf: (upload) => ({ upload, ...options }) },
        ports,
      );
    },
  });
}
