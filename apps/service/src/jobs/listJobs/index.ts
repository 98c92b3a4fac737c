import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listAllJobs } from "./handler.ts";
import { jobsAnswer, jobsExample, query } from "./schema.ts";

export function listJobs(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/jobs",
    operationId: "listJobs",
    summary: "Lists the jobs of the last 60 days, newest first, including redrives of dead letters.",
    tags: ["jobs"],
    answers: {
      200: { description: "A page of jobs.", schema: jobsAnswer, example: jobsExample },
      422: { description: "JOBS_STATISTIC_PER_PAGE_EXCEEDED: `per_page` is at most 25 with include=statistic." },
    },
    auth: "basic",
    scope: "jobs:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listAllJobs(given, caller.account, ports);
    },
  });
}
