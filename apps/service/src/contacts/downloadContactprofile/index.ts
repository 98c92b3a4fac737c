import type { Route } from "@headwater/http";
import { jobStarted, jobStartedExample } from "../../jobs/jobSchema.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { contactParams } from "../contactShape.ts";
import { startProfile } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

export function downloadContactprofile(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts/{primary_key}/downloadprofile",
    operationId: "downloadContactprofile",
    summary: "Writes everything that is known of one contact to a file, by a job.",
    description:
      "Its members and identifiers, lists, orders, cart, supplement records, merges, activities and the history of its members; `exportType` `jsonl` (one entry a line) or `json`. The job waits until ClickHouse has what was stored when it began. Its `metadata.files` holds size, checksum, counts, whether it is complete, and a link that is valid for 24 hours.",
    tags: ["contacts"],
    answers: {
      202: { description: "The job is started.", schema: jobStarted, example: jobStartedExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: there is no contact with this key." },
      422: { description: "EXPORT_CONFIGURATION_ERROR: a destination outside." },
    },
    requestExample,
    scope: "contacts:read",
    rateClass: "jobStart",
    params: contactParams,
    body,
    handler: ({ params, body: request, once }) => startProfile(params.primary_key, { request, once }, ports),
  });
}
