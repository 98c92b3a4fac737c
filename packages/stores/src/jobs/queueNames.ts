/** The schema of pg-boss' own tables. */
export const QUEUE_SCHEMA = "job_queue";

/** Queue of short jobs: erasures, clears, merges. */
const SHORT = "jobs";
/** Queue of exports and imports, which never stand before a short job. */
const LONG = "long_jobs";

export const QUEUES = [SHORT, LONG] as const;
export type QueueName = (typeof QUEUES)[number];

/** The queue of a kind of job. */
export function queueOf(jobName: string): QueueName {
  return /^(Export|Import)/.test(jobName) ? LONG : SHORT;
}

/** Limits of one account in a queue. */
interface QueueLimits {
  readonly waitingMax: number;
  /** Absent: as many as the workers run. */
  readonly runningMax?: number;
}

export const queueLimits: Readonly<Record<QueueName, QueueLimits>> = {
  jobs: { waitingMax: 10_000 },
  long_jobs: { waitingMax: 500, runningMax: 4 },
};
