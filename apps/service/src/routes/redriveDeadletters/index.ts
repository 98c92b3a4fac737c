import { defineRoute, type Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { redriveSelection } from "./handler.ts";
import { body, jobAnswer, requestExample, trialAnswer } from "./schema.ts";

export function redriveDeadletters(ports: ServicePorts): Route {
  return defineRoute({
    method: "POST",
    path: "/v2/deadletters/redrive",
    operationId: "redriveDeadletters",
    summary: "Writes a selection of rejected records to the log again, optionally patched; each once.",
    description:
      "Each becomes a new record with the version of its original, so it never overwrites what was written later. The job's `metadata.receipt` follows the new records to their end.",
    tags: ["deadletters"],
    answers: {
      200: { description: "With `dryRun`: what the door would say.", schema: trialAnswer },
      202: { description: "The job that writes them.", schema: jobAnswer },
    },
    requestExample,
    auth: "basic",
    scope: "deadletters:write",
    rateClass: "jobStart",
    body,
    handler: ({ body: request, caller, requestId, header }) =>
      redriveSelection({ body: request, caller, requestId, key: header("idempotency-key") }, ports),
  });
}
