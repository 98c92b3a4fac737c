import type { NewLogEntry } from "@headwater/api/accountLog/accountLog";
import { type JobResult, type JobStatus, type LogLevel, logCategoryOfJob } from "@headwater/contracts";

/** A job as its entries in the account's log show it: its input and metadata are never in them. */
interface LoggedJob {
  readonly id: string;
  readonly account: number;
  readonly name: string;
  readonly madeBy: string;
  readonly createdAt: number;
}

export interface JobEnd {
  readonly status: JobStatus;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The entry of a job's start. */
export function startOf(job: LoggedJob): NewLogEntry {
  return { ...about(job), at: job.createdAt, level: "Info", message: `${job.name} was started.`, status: "Pending" };
}

/** The entry of a job's end, with its counts. */
export function endOf(job: EndedJob, { status, at }: JobEnd): NewLogEntry {
  const code = codeIn(job.metadata);
  const message = `${job.name} ended: ${status}${code === undefined ? "" : ` with ${code}`}.`;
  const details = { ...job.result, ...(code !== undefined && { code }) };
  return { ...about(job), at, level: levelOf(status, job.result), message, status, details };
}

interface EndedJob extends LoggedJob {
  readonly result: JobResult;
  readonly metadata: object;
}

/** Returns the code of the error that a failed job shows; its message may say more than an entry should. */
function codeIn(metadata: object): string | undefined {
  const { error } = { error: undefined, ...metadata };
  const { code } = { code: undefined, ...Object(error) };
  return typeof code === "string" ? code : undefined;
}

function about({ id: jobId, account, name, madeBy: actor }: LoggedJob) {
  return { account, category: logCategoryOfJob(name), action: name, actor, jobId };
}

function levelOf(status: JobStatus, { rejected, error }: JobResult): LogLevel {
  if (status === "Failed") return "Error";
  return rejected + error > 0 ? "Warning" : "Info";
}
