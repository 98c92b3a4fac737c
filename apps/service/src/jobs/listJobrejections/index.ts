import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listRejections, rejectionsFile } from "./handler.ts";
import { fileAccepted } from "./rejectionFiles.ts";
import { params, query, rejectionsAnswer, rejectionsExample } from "./schema.ts";

export function listJobrejections(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/jobs/{id}/rejections",
    operationId: "listJobrejections",
    summary: "Lists rejected source rows of a job, kept for 7 days.",
    description:
      "Of a redrive of dead letters it lists the letters that validation refused (for 7 days), then the records that were written and rejected again, each with its dead letter. With `Accept: application/x-ndjson` or `text/csv`, returns all rows as a file, ignoring paging.",
    tags: ["jobs"],
    answers: {
      200: { description: "A page of rejected rows.", schema: rejectionsAnswer, example: rejectionsExample },
      404: { description: "RECORD_NOT_FOUND: no job has this id." },
    },
    auth: "basic",
    scope: "jobs:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { id: job }, query: given, caller, signal, header }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      const asked = { job, account: caller.account };
      const file = fileAccepted(header("accept"));
      if (file !== undefined) return rejectionsFile(file, asked, ports.postgres);
      return listRejections(given, asked, ports);
    },
  });
}
