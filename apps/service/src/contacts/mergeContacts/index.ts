import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { startMerge } from "./handler.ts";
import { body, mergeAnswer, mergeExample, requestExample } from "./schema.ts";

export function mergeContacts(ports: Pick<ServicePorts, "clock" | "postgres" | "queue">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts/merge",
    operationId: "mergeContacts",
    summary: "Starts a job that merges one contact into another.",
    description:
      "The destination survives; from then on both cIDs and all identifiers match it. `options` selects, per group, which contact wins where both have a value; values that only one has are kept. An unsubscribe of either contact is kept in any case. Ignored orders or events stay with a separate contact that no identifier matches. The job's `metadata.done` lists what was merged.",
    tags: ["contacts"],
    answers: {
      202: { description: "The job has started.", schema: mergeAnswer, example: mergeExample },
      403: { description: "FEATURE_NOT_ENABLED: merging is disabled for this account." },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has one of the keys." },
    },
    requestExample,
    scope: "contacts:write",
    rateClass: "jobStart",
    body,
    handler: ({ body: request, once }) => startMerge(request, once, ports),
  });
}
