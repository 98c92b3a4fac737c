import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { countJobs, type JobFilters, type ListedJob, pageJobs, readStoredJobs } from "@headwater/stores/jobs";
import type { Session } from "@headwater/stores/postgres";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, PER_PAGE_USUAL, readPage } from "../../paging/page.ts";
import { readTimeRange } from "../../paging/timeRange.ts";
import { withSnapshot } from "../../reading/withSnapshot.ts";
import { type JobPorts, linksOf } from "../jobPorts.ts";
import { JOB_MEMBERS } from "../jobSchema.ts";
import { type JobView, viewJob } from "../jobView.ts";
import { readRedriveView } from "../redriveView.ts";
import { cursorKey, type JobsQuery } from "./schema.ts";

const LIST = "jobs";
const STATISTIC_PER_PAGE_MAX = 25;

/**
 * Jobs in order of their creation, the latest first.
 * Throws 422 `JOBS_STATISTIC_PER_PAGE_EXCEEDED` for more than 25 with their statistics.
 */
export async function listAllJobs(query: JobsQuery, account: Account, ports: JobPorts): Promise<Answer> {
  const withStatistic = query.include === "statistic";
  if (withStatistic && (query.per_page ?? PER_PAGE_USUAL) > STATISTIC_PER_PAGE_MAX) throw tooManyStatistics();
  const page = readPage(query, {
    list: LIST,
    key: cursorKey,
    direction: "desc",
    account: account.number,
    cursors: ports.cursors,
  });
  const pick = pickFields(query.fields, JOB_MEMBERS);
  const filters = filtersOf(query, account);
  const { after, skip, direction, perPage } = page;
  const bounds = { direction, skip, rowsMax: perPage + 1, ...(after && { after }) };
  const keyOf = ({ createdAt, id }: ListedJob) => ({ createdAt, id });
  // A job that was found by its state is shown in that state.
  const { views, nextCursor, total } = await withSnapshot(ports.postgres, async (session) => {
    const rows = await pageJobs(session, filters, bounds);
    const { rows: kept, nextCursor } = cutPage(rows, page, keyOf);
    const views = await viewAll(kept, { account, withStatistic, session }, ports);
    return { views, nextCursor, total: query.return_count === "true" ? await countJobs(session, filters) : undefined };
  });
  return listAnswer({ path: "/v2/jobs", query, page, listed: { rows: views.map(pick), nextCursor }, total });
}

function filtersOf(query: JobsQuery, account: Account): JobFilters {
  const { timezone } = account.settings;
  return {
    account: account.number,
    ...(query.jobName !== undefined && { name: query.jobName }),
    ...(query.status !== undefined && { status: query.status }),
    started: readTimeRange(query, "times[start]", timezone),
    ended: readTimeRange(query, "times[end]", timezone),
  };
}

interface Viewing {
  readonly account: Account;
  readonly withStatistic: boolean;
  readonly session: Session;
}

async function viewAll(rows: readonly ListedJob[], viewing: Viewing, ports: JobPorts): Promise<JobView[]> {
  const { account, withStatistic, session } = viewing;
  const ids = rows.filter(({ kind }) => kind === "job").map(({ id }) => id);
  const jobs = new Map((await readStoredJobs(session, account.number, ids)).map((job) => [job.id, job]));
  const views: JobView[] = [];
  for (const { kind, id } of rows) {
    const job = jobs.get(id);
    if (job !== undefined) views.push(viewJob(job, { withStatistic, linkTo: linksOf(ports) }));
    const redrive =
      kind === "redrive" ? await readRedriveView(session, { id, account, withStatistic }, ports) : undefined;
    if (redrive !== undefined) views.push(redrive);
  }
  return views;
}

function tooManyStatistics() {
  const message = `\`per_page\` is at most ${STATISTIC_PER_PAGE_MAX} with include=statistic.`;
  const details = [{ path: "/per_page", code: "out_of_range", message }];
  return refusal("JOBS_STATISTIC_PER_PAGE_EXCEEDED", message, { details });
}
