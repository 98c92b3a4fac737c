import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import type { RunnerOptions } from "@headwater/jobs/runner/runnerOptions";
import { createWorkLoop, HeadwaterError, type WorkLoop } from "@headwater/kernel";
import { latestTick, nextTick } from "@headwater/messaging/schedule/cron";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { StoreClock } from "@headwater/postgres/connection/storeClock";
import { dueDataJobs, hasRunSince, lockDueDataJob, moveDataJob, type StoredDataJob } from "./postgres.ts";
import { startRun } from "./startRun.ts";

export interface RecurringPorts extends Pick<RunnerOptions, "postgres" | "queue" | "logger"> {
  /** Its clock is that of Postgres: ticks are due by it. */
  readonly clock: StoreClock;
}

const CHECK_EVERY_MS = 1_000;
const JOBS_AT_ONCE = 20;
/** Time after which a tick that found no space is checked again. */
const LATER_MS = 60_000;

/** The part of the worker that starts the runs of recurring data jobs when their ticks have come. */
export function createDataJobUpkeep({ logger, ...ports }: RecurringPorts): WorkLoop {
  return createWorkLoop({
    work: async () => {
      await ports.clock.refresh();
      return stepRecurringRuns(ports);
    },
    idleMs: CHECK_EVERY_MS,
    minMs: 200,
    maxMs: 10_000,
    onRetry: ({ error }) => logger.warn({ err: error }, "starting runs of data jobs failed, retrying"),
  });
}

/** Starts the runs whose ticks have come. Any number of workers share it. @returns whether there may be more. */
export async function stepRecurringRuns(ports: Omit<RecurringPorts, "logger">): Promise<boolean> {
  const { postgres, clock } = ports;
  const due = await dueDataJobs(postgres, clock.nowMs(), JOBS_AT_ONCE);
  for (const key of due) {
    const nowMs = clock.nowMs();
    const start = () => postgres.transaction((transaction) => startDueRun(transaction, { key, nowMs }, ports));
    await start().catch((error: unknown) => {
      if (!(error instanceof HeadwaterError) || error.status !== 429) throw error;
      return postgres.transaction(async (transaction) => {
        const job = await lockDueDataJob(transaction, key, nowMs);
        if (job !== undefined) await moveDataJob(transaction, job, nowMs + LATER_MS);
      });
    });
  }
  return due.length > 0;
}

interface Due {
  readonly key: { readonly account: number; readonly key: string };
  readonly nowMs: number;
}

/**
 * Stores the run of the latest tick, its job and the next tick in one transaction. The data job's row is locked, so of any number of workers one
 * starts the run; ticks before the latest one have none.
 */
async function startDueRun(
  transaction: Transaction,
  { key, nowMs }: Due,
  { queue }: Pick<RecurringPorts, "queue">,
): Promise<void> {
  const job = await lockDueDataJob(transaction, key, nowMs);
  if (job === undefined) return;
  const account = await findAccountByNumber(transaction, key.account);
  const schedule = scheduleOf(job);
  if (account === undefined || schedule === undefined) return moveDataJob(transaction, job, null);
  const tickAt = latestTick(schedule, nowMs);
  await moveDataJob(transaction, job, nextTick(schedule, nowMs) ?? null);
  if (tickAt === undefined || (await hasRunSince(transaction, job, tickAt))) return;
  const { timezone } = account.settings;
  await startRun(transaction, queue, { job, tickAt, timezone, madeBy: job.daId, nowMs });
}

function scheduleOf({ cron, timezone }: StoredDataJob) {
  return cron === null || timezone === null ? undefined : { cron, timezone };
}
