import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import { type Account, isFinalJob } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { type Job, readStoredJob } from "@headwater/jobs/queue/jobs";
import { readJobsAhead } from "@headwater/jobs/queue/turns";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { type JobPorts, linksOf } from "../jobPorts.ts";
import { include, jobExample, jobShape } from "../jobSchema.ts";
import { type JobView, viewJob } from "../jobView.ts";
import { readRedriveView } from "../redriveView.ts";

const params = z.strictObject({ id: storableText(64) });
const query = z.strictObject({ ...afterQuery, include });

const ASK_AGAIN_SECONDS = "1";

interface JobAsked {
  readonly id: string;
  readonly account: Account;
  readonly withStatistic: boolean;
}

/** Throws 404 `RECORD_NOT_FOUND`. */
async function readOneJob(asked: JobAsked, ports: JobPorts): Promise<Answer> {
  const body = await findJob(asked, ports);
  if (body === undefined) throw refusal("RECORD_NOT_FOUND", "No job has this id.");
  return { status: 200, body, ...(isFinalJob(body.status) ? {} : { headers: { "Retry-After": ASK_AGAIN_SECONDS } }) };
}

async function findJob(asked: JobAsked, ports: JobPorts): Promise<JobView | undefined> {
  const { id, account, withStatistic } = asked;
  const job = await readStoredJob(ports.postgres, account.number, id);
  if (job !== undefined) {
    const view = viewJob(job, { withStatistic, linkTo: linksOf(ports) });
    return job.status === "Pending"
      ? { ...view, metadata: { ...view.metadata, ...(await positionOf(job, ports)) } }
      : view;
  }
  return withSnapshot(ports.postgres, (session) => readRedriveView(session, asked, ports));
}

/** Finds the position of a waiting job in its queue: 1 is the next. */
async function positionOf(job: Job, { postgres }: Pick<JobPorts, "postgres">): Promise<{ readonly place: number }> {
  return { place: (await readJobsAhead(postgres, job)) + 1 };
}

export function getJob(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
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
