import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { cancelOneJob } from "./handler.ts";
import { cancelAnswer, cancelExample, params } from "./schema.ts";

export function cancelJob(ports: Pick<ServicePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/jobs/{id}/cancel",
    operationId: "cancelJob",
    summary:
      "Cancels a job between two steps. Completed steps are not undone. An import counts on, with `metadata.counting`, until each row that is in the log has its end.",
    tags: ["jobs"],
    answers: {
      200: { description: "The job is canceled.", schema: cancelAnswer, example: cancelExample },
      404: { description: "RECORD_NOT_FOUND: no job has this id." },
      409: { description: "INVALID_STATE_TRANSITION: the job has ended, or is an erasure, which cannot be canceled." },
    },
    scope: "jobs:write",
    target: "id",
    params,
    handler: ({ params: { id }, once }) => cancelOneJob(id, once, ports),
  });
}
