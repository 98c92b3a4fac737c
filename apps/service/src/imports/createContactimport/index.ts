import type { Route } from "@headwater/http";
import { jobStarted, jobStartedExample } from "../../jobs/jobSchema.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { anyBody, parseClosed } from "../closedBody.ts";
import { type ImportPorts, startImport } from "../startImport.ts";
import { body, memberNames, requestExample } from "./schema.ts";

export function createContactimport(ports: ImportPorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contactimports",
    operationId: "createContactimport",
    summary: "Starts a job that imports contacts from an uploaded file.",
    description:
      "The file is csv, tsv, text or lines of JSON, plain or packed by gzip or zstd. Columns are read by `mapping`, else by their names: identifiers, `channels.…`, `attributes.…`, `lists.…`, lists, attributes. Rows go through the log, so they follow the rules of `upsertContact`. The job counts each row as inserted, updated, ignored or rejected; `GET /v2/jobs/{id}/rejections` lists the rejected ones with their lines.",
    tags: ["imports"],
    answers: {
      202: { description: "The job has started.", schema: jobStarted, example: jobStartedExample },
      422: { description: "IMPORT_CONFIGURATION_ERROR: the source or an option cannot be used. Nothing was started." },
    },
    requestExample,
    scope: "contactimports:write",
    rateClass: "jobStart",
    body: anyBody,
    documentedBody: body,
    handler: ({ body: given, once }) => {
      const request = parseClosed(body, given, memberNames);
      const { source: _source, confirmEmail: _mail, ...options } = request;
      return startImport(
        { jobName: "ImportContacts", once, request, inputOf: (upload) => ({ upload, ...options }) },
        ports,
      );
    },
  });
}
