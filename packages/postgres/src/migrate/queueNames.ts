/** The schema of pg-boss' own tables. */
export const QUEUE_SCHEMA = "job_queue";

/** Queue of short jobs: erasures, clears, merges. */
const SHORT = "jobs";
/** Queue of exports, imports and runs of data jobs, which never stand before a short job. */
const LONG = "long_jobs";

export const QUEUES = [SHORT, LONG] as const;
export type QueueName = (typeof QUEUES)[number];

/** The queue of a kind of job. */
export function queueOf(jobName: string): QueueName {
  return /^(Export|Import|DataAutomation)/.test(jobName) ? LONG : SHORT;
}

/** Limits of one account in a queue. */
interface QueueLimits {
  readonly waitingMax: number;
  /** Limit on all workers together. Absent: as many as they run. */
  readonly runningMax?: number;
}

export const queueLimits: Readonly<Record<QueueName, QueueLimits>> = {
  jobs: { waitingMax: 10_000 },
  long_jobs: { waitingMax: 500, runningMax: 4 },
};

/** Slots of each queue that a worker has beyond those that one account may hold: they are always free for another account. */
export const SLOTS_OF_OTHERS = 1;

/**
 * Returns how many jobs of one account run at a time in a queue.
 * @param jobsConcurrently jobs of one account that a worker runs at a time of each queue.
 */
export function runningMaxOf(queue: QueueName, jobsConcurrently: number): number {
  const { runningMax = Number.POSITIVE_INFINITY } = queueLimits[queue];
  return Math.min(runningMax, jobsConcurrently);
}
