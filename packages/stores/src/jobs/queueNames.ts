/** The schema of pg-boss' own tables. */
export const QUEUE_SCHEMA = "job_queue";
export const QUEUE = "jobs";
