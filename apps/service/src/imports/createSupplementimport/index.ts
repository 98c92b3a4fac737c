import type { Route } from "@headwater/http";
import { jobStarted, jobStartedExample } from "../../jobs/jobSchema.ts";
import { expectTable, TABLE_UNKNOWN, tableParams } from "../../supplements/tableShape.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { anyBody, parseClosed } from "../closedBody.ts";
import { type ImportPorts, startImport } from "../startImport.ts";
import { body, memberNames, requestExample } from "./schema.ts";

export function createSupplementimport(ports: ImportPorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/supplements/{key}/imports",
    operationId: "createSupplementimport",
    summary: "Starts a job that imports records of a supplement table from an uploaded file.",
    description:
      "The file is csv, each column a field, or lines of JSON. Records are upserted by `id`, in the order of the file.",
    tags: ["imports"],
    answers: {
      202: { description: "The job has started.", schema: jobStarted, example: jobStartedExample },
      404: TABLE_UNKNOWN,
      422: { description: "IMPORT_CONFIGURATION_ERROR: the source or an option cannot be used. Nothing was started." },
    },
    requestExample,
    scope: "supplements:write",
    rateClass: "jobStart",
    body: anyBody,
    documentedBody: body,
    params: tableParams,
    handler: async ({ params: { key: supplement }, body: given, once }) => {
      const request = parseClosed(body, given, memberNames);
      await expectTable(ports.postgres, once.caller.account.number, supplement);
      const { source: _source, confirmEmail: _mail, ...options } = request;
      return startImport(
        { jobName: "ImportSupplements", once, request, inputOf: (upload) => ({ upload, supplement, ...options }) },
        ports,
      );
    },
  });
}
