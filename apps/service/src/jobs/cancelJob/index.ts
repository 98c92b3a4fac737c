import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { cancelOneJob } from "./handler.ts";
import { cancelAnswer, cancelExample, params } from "./schema.ts";

export function cancelJob(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/jobs/{id}/cancel",
    operationId: "cancelJob",
    summary: "Ends a job between two of its steps; what was done stays.",
    tags: ["jobs"],
    answers: {
      200: { description: "The job is cancelled.", schema: cancelAnswer, example: cancelExample },
      404: { description: "RECORD_NOT_FOUND: there is no job with this id." },
      409: { description: "INVALID_STATE_TRANSITION: it is over, or an erasure, which cannot be cancelled." },
    },
    scope: "jobs:write",
    params,
    handler: ({ params: { id }, once }) => cancelOneJob(id, once, ports),
  });
}
