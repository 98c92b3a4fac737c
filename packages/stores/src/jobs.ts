export { createJobQueue, type JobQueue } from "./jobQueue/jobQueue.ts";
export { createJobWorker, type JobWorkerOptions } from "./jobQueue/jobWorker.ts";
export { type JobToStart, startJob } from "./jobQueue/startJob.ts";
export {
  countJobs,
  type JobFilters,
  type JobPlace,
  type JobsPage,
  type ListedJob,
  pageJobs,
  REDRIVE_JOB,
  readStoredJobs,
} from "./postgres/jobReads.ts";
export {
  countJobRejections,
  deleteJobRejections,
  insertJobRejections,
  type JobRejection,
  type JobRejectionsPage,
  pageJobRejections,
} from "./postgres/jobRejections.ts";
export {
  deleteJobs,
  endJob,
  insertJob,
  type Job,
  lockJob,
  lockJobOf,
  type NewJob,
  readStoredJob,
  saveJob,
  takeJob,
} from "./postgres/jobs.ts";
