import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { jobExample, jobShape } from "../jobSchema.ts";
import { readOneJob } from "./handler.ts";
import { params, query } from "./schema.ts";

export function getJob(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/jobs/{id}",
    operationId: "getJob",
    summary: "Returns the progress of a job. `Retry-After` says when to poll again.",
    tags: ["jobs"],
    answers: { 200: { description: "The job.", schema: jobShape, example: jobExample } },
    auth: "basic",
    scope: "jobs:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { id }, query: { after, include }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneJob({ id, account: caller.account, withStatistic: include === "statistic" }, ports);
    },
  });
}
