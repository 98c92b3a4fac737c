export { removeLeftovers } from "./exports/leftovers.ts";
export { deleteOldJobs } from "./housekeeping.ts";
export { createIndexUpkeep } from "./indexUpkeep.ts";
export { jobKinds } from "./jobs/index.ts";
export { deliverNotices } from "./notices/deliverNotices.ts";
export { createMailer } from "./notices/mailer.ts";
export { defineJob, type JobKind } from "./runner/jobKind.ts";
export { runJob } from "./runner/runJob.ts";
export type { RunnerOptions } from "./runner/runnerOptions.ts";
