import { type JobResult, type JobStatus, toTimestamp } from "@headwater/contracts";
import type { Job } from "@headwater/jobs/queue/jobs";

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

export interface Viewing {
  readonly withStatistic: boolean;
  /** The path and query of a link to a file. */
  readonly linkTo: (fileId: string) => string;
}

export function viewJob(job: Job, { withStatistic, linkTo }: Viewing): JobView {
  const { id, name, status, totalItems, completedItems, startedAt, endedAt, result } = job;
  const metadata = { ...withLinks(job.metadata, linkTo), ...(job.isCounting && { counting: true }) };
  const view = { id, jobName: name, status, totalItems, completedItems, result, metadata };
  const times = { start: timeOf(startedAt), end: timeOf(endedAt) };
  if (!withStatistic) return { ...view, times };
  return { ...view, times, statistic: { ...statisticOf(job), ...job.statistic } };
}

/** Files of a job with links to those that are kept here, which are valid for a day from now. */
function withLinks(metadata: object, linkTo: Viewing["linkTo"]): object {
  const linked = (file: unknown) => (isStored(file) ? { ...file, url: linkTo(file.id) } : file);
  const files = "files" in metadata && Array.isArray(metadata.files) ? metadata.files : undefined;
  const manifest = "manifest" in metadata ? metadata.manifest : undefined;
  return {
    ...metadata,
    ...(files && { files: files.map(linked) }),
    ...(manifest !== undefined && { manifest: linked(manifest) }),
  };
}

/** One that an erasure deleted is not there any more. */
function isStored(file: unknown): file is { readonly id: string } {
  const isFile = typeof file === "object" && file !== null && "id" in file && typeof file.id === "string";
  return isFile && !("erased" in file && file.erased === true);
}

/** Returns how often a worker took the job, and how long it waited and ran. */
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
