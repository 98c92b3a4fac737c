import { toTimestamp } from "@headwater/contracts";
import type { Job } from "../queue/jobs.ts";

const BODY_CHARACTERS_MAX = 256 * 1024;
const types: Readonly<Record<string, string>> = { Done: "job.done", Failed: "job.failed", Canceled: "job.canceled" };

/** Returns what is posted of a job that has ended: `{type, timestamp, data}`; of long metadata only the error. */
export function noticeBody(job: Job): string {
  const whole = JSON.stringify(toBody(job, job.metadata));
  if (whole.length <= BODY_CHARACTERS_MAX) return whole;
  const error: unknown = Reflect.get(job.metadata, "error");
  return JSON.stringify(toBody(job, error === undefined ? {} : { error }));
}

function toBody({ id, name, status, totalItems, completedItems, result, startedAt, endedAt }: Job, metadata: object) {
  const times = { start: timeOf(startedAt), end: timeOf(endedAt) };
  const counts = { totalItems, completedItems, times, result, metadata };
  return { type: types[status], timestamp: timeOf(endedAt), data: { id, jobName: name, status, ...counts } };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
