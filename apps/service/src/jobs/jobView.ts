import { type JobResult, type JobStatus, toTimestamp } from "@headwater/contracts";
import type { Job } from "@headwater/stores";

/** A job as answers show it. */
export interface JobView {
  readonly id: string;
  readonly jobName: string;
  readonly status: JobStatus;
  readonly totalItems: number;
  readonly completedItems: number;
  readonly times: { readonly start: string | null; readonly end: string | null };
  readonly result: JobResult;
  readonly metadata: object;
  readonly statistic?: object;
}

export function viewJob(job: Job, withStatistic: boolean): JobView {
  const { id, name, status, totalItems, completedItems, startedAt, endedAt, result, metadata } = job;
  const view = { id, jobName: name, status, totalItems, completedItems, result, metadata };
  const times = { start: timeOf(startedAt), end: timeOf(endedAt) };
  if (!withStatistic) return { ...view, times };
  return { ...view, times, statistic: { ...statisticOf(job), ...job.statistic } };
}

/** How often a worker took it, and how long it waited and ran. */
function statisticOf({ attempt, createdAt, startedAt, endedAt }: Job): object {
  return {
    attempts: attempt,
    created: toTimestamp(createdAt),
    ...(startedAt !== null && { waitedMs: startedAt - createdAt }),
    ...(startedAt !== null && endedAt !== null && { ranMs: endedAt - startedAt }),
  };
}

export function timeOf(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
