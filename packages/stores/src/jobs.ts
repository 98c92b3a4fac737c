export { createFileStore, type FileKey, type FileStore, FileTooLarge, type WrittenFile } from "./files/fileStore.ts";
export { createJobQueue, type JobQueue } from "./jobQueue/jobQueue.ts";
export { createJobWorker, type JobWorkerOptions } from "./jobQueue/jobWorker.ts";
export { type JobToStart, startJob } from "./jobQueue/startJob.ts";
export {
  deleteEntriesOf,
  filesAbout,
  forgetJobInput,
  scrubOthers,
  scrubRejects,
  type TracesOf,
} from "./postgres/erasedTraces.ts";
export {
  deleteFileRow,
  type FileWithAccount,
  insertFile,
  oldFiles,
  readFileRow,
  type StoredFile,
} from "./postgres/files.ts";
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
export { orderIdsOfContact } from "./postgres/ordersOfContact.ts";
export {
  cartOfPerson,
  listsOfPerson,
  mergesOfPerson,
  type OrderOfPerson,
  ordersOfPerson,
  type Person,
  personOf,
  type RecordOfPerson,
  recordsOfPerson,
} from "./postgres/profileReads.ts";
export { followSinkMarks, type SinkMarks, takeSinkMarks } from "./postgres/sinkMarks.ts";
