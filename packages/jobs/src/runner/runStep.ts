import type { Account, JobStatus } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { insertJobRejections } from "../queue/jobRejections.ts";
import { isRunning, type Job, lockJob, noteJobCounts, readAttempt, saveJob } from "../queue/jobs.ts";
import type { JobKind, StepEnd, Work } from "./jobKind.ts";
import type { RunnerOptions } from "./runnerOptions.ts";

/** A cancel takes hold within this, and the time that an aborted query takes to end. */
const CHECK_EVERY_MS = 1_000;

export interface TakenJob {
  /** The job as it was when this attempt took it. */
  readonly job: Job;
  readonly account: Account;
  readonly kind: JobKind;
  readonly signal: AbortSignal;
}

/**
 * "waits": it is back in the queue. "counted": it was canceled, and its counts are whole. "lost": another worker has it, or it was cancelled;
 * nothing of this step is stored.
 */
export type StepOutcome = "more" | "done" | "failed" | "waits" | "counted" | "lost";

/** Runs one step, and has its kind tidy up when the attempt has lost the job. */
export async function runStep(options: RunnerOptions, taken: TakenJob): Promise<StepOutcome> {
  const outcome = await tryStep(options, taken);
  const { id: jobId, attempt } = taken.job;
  if (outcome === "lost") await taken.kind.giveUp?.({ jobId, attempt }, options);
  return outcome;
}

/**
 * Runs the work outside of Postgres first, then one transaction that locks the job, applies the step and stores its progress. A
 * cancel waits for that transaction, and the next step finds it.
 */
async function tryStep(options: RunnerOptions, taken: TakenJob): Promise<StepOutcome> {
  const { job, account, kind } = taken;
  const { postgres, clock } = options;
  const before = await postgres.transaction((transaction) => lockAttempt(transaction, job));
  if (before === undefined) return "lost";
  const { input, progress, createdAt } = before;
  const secrets = before.secrets ?? undefined;
  const { id: jobId, attempt } = job;
  const report: Work<unknown, unknown>["report"] = (counts) => noteJobCounts(postgres, { id: jobId, attempt }, counts);
  const canceled = new AbortController();
  if (before.isCounting) canceled.abort();
  const begun = { createdAt, nowMs: clock.nowMs(), attempt, report, canceled: canceled.signal };
  const work = { jobId, account, input, progress, secrets, ...begun };
  const owned = { job, signal: taken.signal, canceled };
  const step = await whileOwned(options, owned, (signal) => kind.prepare({ ...work, signal }, options));
  if (step === "lost") return "lost";
  return retryOnConflict(() =>
    postgres.transaction(async (transaction) => {
      const now = await lockAttempt(transaction, job);
      if (now === undefined) return "lost";
      const end = await step(transaction);
      await store(options, transaction, { job: now, end });
      return leave(options, transaction, { job: now, end });
    }),
  );
}

/** Locks the job as a fence: undefined for an attempt that is no longer the latest, however long it slept, and for a job that is over. */
async function lockAttempt(transaction: Transaction, { id, attempt }: Job): Promise<Job | undefined> {
  const now = await lockJob(transaction, id);
  return now?.attempt === attempt && isRunning(now) ? now : undefined;
}

interface Ended {
  readonly job: Job;
  readonly end: StepEnd<unknown>;
}

async function store({ clock }: RunnerOptions, transaction: Transaction, { job, end }: Ended): Promise<void> {
  const at = Math.max(clock.nowMs(), job.startedAt ?? 0);
  const { totalItems = job.totalItems, completedItems = job.completedItems, rejections = [] } = end;
  const isOver = end.kind === "done" || end.kind === "failed";
  const { isCounting } = job;
  const error = end.kind === "failed" && !isCounting ? { error: end.error } : {};
  const after = {
    ...job,
    totalItems,
    completedItems,
    progress: isOver ? job.progress : end.progress,
    result: { ...job.result, ...end.result },
    metadata: { ...job.metadata, ...end.metadata, ...error },
    statistic: end.statistic ?? job.statistic,
  };
  const life = isCounting ? { isCounting: !isOver } : { status: statusAfter(end), endedAt: isOver ? at : null };
  await saveJob(transaction, { ...after, ...life }, at);
  await insertJobRejections(transaction, { job: job.id, account: job.account, at }, rejections);
}

function statusAfter(end: StepEnd<unknown>): JobStatus {
  if (end.kind === "done") return "Done";
  if (end.kind === "failed") return "Failed";
  return end.kind === "wait" && end.isThrottled === true ? "Throttled" : "Processing";
}

/** A job with more to do yields its worker when it is another account's turn, and resumes after it. */
async function leave({ queue }: RunnerOptions, transaction: Transaction, { job, end }: Ended): Promise<StepOutcome> {
  if (end.kind === "done" || end.kind === "failed") return job.isCounting ? "counted" : end.kind;
  if (end.kind === "more" && !(await queue.isOthersTurn(transaction, job))) return "more";
  if (end.kind === "wait") await queue.giveBack(transaction, job, end.seconds, end.givesWay ? "last" : "former");
  else await queue.giveBack(transaction, job, 0);
  return "waits";
}

interface Owned {
  readonly job: Pick<Job, "id" | "attempt">;
  readonly signal: AbortSignal;
  /** Aborted in place of the work when the job was canceled and counts on. */
  readonly canceled: AbortController;
}

/**
 * Runs work outside of Postgres, and aborts it soon after the job was canceled or another worker took it.
 * @returns "lost" for work that was aborted so.
 */
async function whileOwned<Result>(
  { postgres, logger }: Pick<RunnerOptions, "postgres" | "logger">,
  { job, signal, canceled }: Owned,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | "lost"> {
  const lost = new AbortController();
  const check = async () => {
    try {
      const now = await readAttempt(postgres, job.id);
      if (now?.isCounting === true) canceled.abort();
      if (now?.attempt !== job.attempt) lost.abort(new JobLost("the job was canceled or taken by another worker"));
    } catch (error) {
      logger.debug({ err: error, jobId: job.id }, "could not look whether the job was canceled");
    }
  };
  const timer = setInterval(() => void check(), CHECK_EVERY_MS);
  try {
    return await run(AbortSignal.any([signal, lost.signal]));
  } catch (error) {
    if (lost.signal.aborted && !signal.aborted) return "lost";
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** The reason of the signal of work whose job is no longer this attempt's. */
class JobLost extends Error {}
