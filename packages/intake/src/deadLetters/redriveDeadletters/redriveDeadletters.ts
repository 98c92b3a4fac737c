import { orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { redriveSelection } from "./handler.ts";
import { body, jobAnswer, requestExample, trialAnswer } from "./schema.ts";

export function redriveDeadletters(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/deadletters/redrive",
    operationId: "redriveDeadletters",
    summary: "Redrives a selection of rejected records to the log, optionally patched, each once.",
    description:
      "Each becomes a new record with the version of its original, so it never overwrites later writes. The job's `metadata.receipt` tracks the new records.",
    tags: ["deadletters"],
    answers: {
      200: { description: "With `dryRun`: the verdicts of validation.", schema: trialAnswer },
      202: { description: "The redrive job.", schema: jobAnswer },
      404: { description: "RECORD_NOT_FOUND: one of `ids` is not a dead letter of the account." },
    },
    requestExample,
    scope: "deadletters:write",
    rateClass: "jobStart",
    body,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => redriveSelection(request, once, ports)),
  });
}
