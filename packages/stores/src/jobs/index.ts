export { REDRIVE_JOB } from "../postgres/deadLetters/redrives.ts";
export {
  delayLeftover,
  deleteLeftover,
  type Leftover,
  takeLeftovers,
} from "./jobLeftovers.ts";
export {
  type DueNotice,
  delayNotice,
  deleteNotice,
  type NewNotice,
  type NoticeKind,
  takeDueNotices,
} from "./jobNotices.ts";
export { createJobQueue, type JobQueue } from "./jobQueue.ts";
export {
  countJobs,
  type JobFilters,
  type JobPlace,
  type JobsPage,
  type ListedJob,
  pageJobs,
  readExportOfFile,
  readStoredJobs,
} from "./jobReads.ts";
export {
  countJobRejections,
  deleteJobRejections,
  insertJobRejections,
  type JobRejection,
  type JobRejectionsPage,
  pageJobRejections,
} from "./jobRejections.ts";
export {
  deleteJobs,
  endJob,
  insertJob,
  isRunning,
  type Job,
  lockJob,
  lockJobOf,
  type NewJob,
  noteJobCounts,
  readAttempt,
  readRunning,
  readStoredJob,
  saveJob,
  setJobMetadata,
  takeJob,
} from "./jobs.ts";
export { createJobWorker, type JobWorkerOptions } from "./jobWorker.ts";
export { SLOTS_OF_OTHERS } from "./queueNames.ts";
export { type JobToStart, releaseJob, scheduleJob, startJob } from "./startJob.ts";
export { readJobsAhead } from "./turns.ts";
