export { createJobQueue, type JobQueue } from "./jobQueue.ts";
export { createJobWorker, type JobWorkerOptions } from "./jobWorker.ts";
export { type JobToStart, startJob } from "./startJob.ts";
