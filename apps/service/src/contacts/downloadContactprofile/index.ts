import type { Route } from "@headwater/http";
import { orFirstAnswer } from "../../idempotency/runOnce.ts";
import { jobStarted, jobStartedExample } from "../../jobs/jobSchema.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { contactParams } from "../contactShape.ts";
import { type ProfilePorts, startProfile } from "./handler.ts";
import { body, documentedBody, requestExample } from "./schema.ts";

export function downloadContactprofile(ports: ProfilePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts/{primary_key}/downloadprofile",
    operationId: "downloadContactprofile",
    summary: "Starts a job that exports all data of a contact to a file.",
    description:
      "The file contains the contact's members and identifiers, lists, orders, cart, supplement records, merges, activities and change history; `exportType` is `jsonl` (one entry per line) or `json`. The job waits until ClickHouse has caught up with the state at its start. Its `metadata.files` holds the size, checksum, counts, completeness, and a link that is valid for 24 hours. With a `destination` outside (`s3`, `sftp`, `azureblob`) the file is written there instead.",
    tags: ["contacts"],
    answers: {
      202: { description: "The job has started.", schema: jobStarted, example: jobStartedExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
      422: {
        description:
          "EXPORT_CONFIGURATION_ERROR: the destination or another member is invalid. STORAGE_CONNECTION_ERROR: it refused the connection.",
      },
    },
    requestExample,
    scope: "contacts:read",
    rateClass: "jobStart",
    params: contactParams,
    body,
    isBodyOptional: true,
    documentedBody,
    handler: ({ params, body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startProfile(params.primary_key, { request, once }, ports)),
  });
}
