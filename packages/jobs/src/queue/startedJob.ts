import type { Answer } from "@headwater/http";

/** Returns the answer to the call that starts a job: 202 and where to look. */
export function startedJob(jobId: string, more: object = {}): Answer {
  return { status: 202, body: { jobId, ...more }, headers: { Location: `/v2/jobs/${jobId}` } };
}
