import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, PER_PAGE_DEFAULT, readPage } from "@headwater/api/paging/page";
import { bound, listQuery, storableText } from "@headwater/api/paging/query";
import { readTimeRange } from "@headwater/api/paging/timeRange";
import type { AfterPorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import { type Account, jobInputs, jobStatuses } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { REDRIVE_JOB } from "@headwater/intake/deadLetters/redrives";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { type JobPorts, linksOf } from "../jobPorts.ts";
import { countJobs, type JobFilters, type ListedJob, pageJobs, readStoredJobs } from "../jobReads.ts";
import { include, JOB_MEMBERS, jobExample, jobShape } from "../jobSchema.ts";
import { type JobView, viewJob } from "../jobView.ts";
import { readRedriveView } from "../redriveView.ts";

/** Names of the language of jobs of which this service has no kind yet. */
const UNUSED_NAMES = ["DeleteContacts"];
const jobNames = [...Object.keys(jobInputs), REDRIVE_JOB, ...UNUSED_NAMES].sort();

const query = z.strictObject({
  ...listQuery,
  sort_by: z.literal("id").optional(),
  jobName: z.enum(jobNames).optional(),
  status: z.enum(jobStatuses).optional(),
  "times[start][gt]": bound,
  "times[start][gte]": bound,
  "times[start][lt]": bound,
  "times[start][lte]": bound,
  "times[end][gt]": bound,
  "times[end][gte]": bound,
  "times[end][lt]": bound,
  "times[end][lte]": bound,
  include,
});
type JobsQuery = z.output<typeof query>;

const cursorKey = z.strictObject({ createdAt: z.number().int(), id: storableText(64) });

const jobsAnswer = pageOf(jobShape.partial());
const jobsExample = { data: [jobExample], pagination: { per_page: 25, page: 1, next_cursor: null } };

const LIST = "jobs";
const STATISTIC_PER_PAGE_MAX = 25;

/**
 * Jobs in order of their creation, the latest first.
 * Throws 422 `JOBS_STATISTIC_PER_PAGE_EXCEEDED` for more than 25 with their statistics.
 */
async function listAllJobs(query: JobsQuery, account: Account, ports: JobPorts): Promise<Answer> {
  const withStatistic = query.include === "statistic";
  if (withStatistic && (query.per_page ?? PER_PAGE_DEFAULT) > STATISTIC_PER_PAGE_MAX) throw tooManyStatistics();
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
    const { rows: stored, nextCursor } = cutPage(rows, page, keyOf);
    const views = await viewAll(stored, { account, withStatistic, session }, ports);
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

export function listJobs(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
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
    handler: async ({ query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listAllJobs(input, caller.account, ports);
    },
  });
}
