import { type Account, isFinalJob } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { type Job, readJobsAhead, readStoredJob } from "@headwater/stores/jobs";
import { withSnapshot } from "../../reading/withSnapshot.ts";
import { type JobPorts, linksOf } from "../jobPorts.ts";
import { type JobView, viewJob } from "../jobView.ts";
import { readRedriveView } from "../redriveView.ts";

const ASK_AGAIN_SECONDS = "1";

export interface JobAsked {
  readonly id: string;
  readonly account: Account;
  readonly withStatistic: boolean;
}

/** Throws 404 `RECORD_NOT_FOUND`. */
export async function readOneJob(asked: JobAsked, ports: JobPorts): Promise<Answer> {
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
      ? { ...view, metadata: { ...view.metadata, ...(await placeOf(job, ports)) } }
      : view;
  }
  return withSnapshot(ports.postgres, (session) => readRedriveView(session, asked, ports));
}

/** Finds the place of a waiting job in its queue: 1 is the next. */
async function placeOf(job: Job, { postgres }: Pick<JobPorts, "postgres">): Promise<{ readonly place: number }> {
  return { place: (await readJobsAhead(postgres, job)) + 1 };
}
