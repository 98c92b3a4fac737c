import type { Logger, Part } from "@headwater/kernel";
import { type Admission, admitting } from "@headwater/postgres/connection/admission";
import {
  QUEUE_SCHEMA,
  QUEUES,
  queueLimits,
  runningMaxOf,
  SLOTS_OF_OTHERS,
} from "@headwater/postgres/migrate/queueNames";
import { PgBoss } from "pg-boss";
import type { QueuedJob } from "./jobQueue.ts";

export interface JobWorkerOptions {
  readonly url: string;
  /** Name that operators see in pg_stat_activity. */
  readonly applicationName: string;
  /** No job is taken from a server that is refused. */
  readonly admission?: Admission | undefined;
  /** Jobs of one account that this process runs at a time of each queue; there is one slot more, for other accounts. */
  readonly jobsConcurrently: number;
  /**
   * Runs one job, or the part of it that there is to do now. What it throws brings the job back to the queue.
   * @param signal aborted when the process stops or another worker has taken the job.
   */
  readonly run: (jobId: string, signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

/** Time between two checks of the queue; a new job is also announced at once. */
const CHECK_EVERY_SECONDS = 2;
/** Time between two checks of the library for jobs whose worker is gone. */
const SUPERVISE_EVERY_SECONDS = 3;
/** Due jobs beyond which the next one is taken as soon as one has ended. */
const DUE_AT_EASE = 1;
const STOP_TIMEOUT_MS = 15_000;

/** Takes jobs from the queue. A job whose worker was killed or sleeps is given to another after its heartbeat. */
export function createJobWorker(options: JobWorkerOptions): Part & { isRunning(): boolean } {
  const { url, applicationName, jobsConcurrently, logger } = options;
  const slots = jobsConcurrently + SLOTS_OF_OTHERS;
  const stopping = new AbortController();
  const boss = new PgBoss({
    connectionString: url,
    application_name: applicationName,
    schema: QUEUE_SCHEMA,
    max: 2 * slots + 2,
    migrate: false,
    schedule: false,
    useListenNotify: true,
    // The library opens its pool with these options as they are. Its listener is not checked: a notification only wakes the pool.
    ...admitting(options.admission),
    superviseIntervalSeconds: SUPERVISE_EVERY_SECONDS,
    monitorIntervalSeconds: SUPERVISE_EVERY_SECONDS,
  });
  let isRunning = false;
  boss.on("error", (error) => logger.warn({ err: error }, "pg-boss error"));
  boss.on("warning", ({ message, data }) => logger.info({ data }, `pg-boss warning: ${message}`));
  return {
    isRunning: () => isRunning,
    async start() {
      await boss.start();
      const looking = {
        localConcurrency: slots,
        pollingIntervalSeconds: CHECK_EVERY_SECONDS,
        notifyPollingIntervalSeconds: CHECK_EVERY_SECONDS,
        burstWhenReadyExceeds: DUE_AT_EASE,
      };
      for (const queue of QUEUES) {
        const runningMax = runningMaxOf(queue, jobsConcurrently);
        // What is bounded on all workers together is counted by Postgres, the rest here.
        const share =
          queueLimits[queue].runningMax === undefined
            ? { localGroupConcurrency: runningMax }
            : { groupConcurrency: runningMax };
        await boss.work<QueuedJob>(queue, { ...looking, ...share }, async (jobs) => {
          for (const { data, signal } of jobs) {
            await options.run(data.jobId, AbortSignal.any([signal, stopping.signal]));
          }
        });
      }
      isRunning = true;
    },
    async stop() {
      isRunning = false;
      stopping.abort(new Error("the worker is stopping"));
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}
