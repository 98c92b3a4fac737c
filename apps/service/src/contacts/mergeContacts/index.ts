import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { startMerge } from "./handler.ts";
import { body, mergeAnswer, mergeExample, requestExample } from "./schema.ts";

export function mergeContacts(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts/merge",
    operationId: "mergeContacts",
    summary: "Merges one contact into another, by a job.",
    description:
      "The destination survives, and both cIDs and all identifiers find it from then on. `options` says for each group whose word counts where both have something; what only one has is kept. Orders or events that are ignored stay with a contact of their own, which nobody is found by. The job's `metadata.done` says what was done.",
    tags: ["contacts"],
    answers: {
      202: { description: "The job is started.", schema: mergeAnswer, example: mergeExample },
      403: { description: "FEATURE_NOT_ENABLED: the account has merging switched off." },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: there is no contact with one of the keys." },
    },
    requestExample,
    scope: "contacts:write",
    rateClass: "jobStart",
    body,
    handler: ({ body: request, once }) => startMerge(request, once, ports),
  });
}
