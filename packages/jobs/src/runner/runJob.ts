import type { JobName } from "@headwater/contracts";
import { backOffMs, classifyFailure, HeadwaterError, type Logger, sleepUntilAborted } from "@headwater/kernel";
import { endJob, isRunning, type Job, lockJob, saveJob, takeJob } from "../queue/jobs.ts";
import type { RunnerOptions } from "./runnerOptions.ts";
import { runStep } from "./runStep.ts";

/** Errors that nobody foresaw, in a row, after which the job has failed. */
const FAILURES_MAX = 5;
const RETRY = { minMs: 200, maxMs: 5_000, jitter: "equal" } as const;
/** Times a job may be taken without a successful step: a job that kills its workers must not do so for ever. */
const BEGUN_IN_VAIN_MAX = 20;

/**
 * Runs a job step after step: until it is over, has to wait, or somebody else has it. Errors that pass by themselves (a store
 * is away) are waited for; any other fails the job.
 * @throws the signal's reason: the queue gives the job to the next worker.
 */
export async function runJob(options: RunnerOptions, jobId: string, signal: AbortSignal): Promise<void> {
  const job = await takeWithCapacity(options, jobId);
  if (job === undefined) return;
  const kind = options.kinds.get(job.name);
  if (kind === undefined) return fail(options, job, unknownKind(job.name));
  if (job.begunInVain > BEGUN_IN_VAIN_MAX) return fail(options, job, neverCameThrough());
  const account = await options.account(job.account);
  if (account === undefined) return fail(options, job, noAccount());
  let attempts = 0;
  for (let failures = 0; ; ) {
    signal.throwIfAborted();
    try {
      const end = await runStep(options, { job, account, kind, signal });
      if (end === "done" || end === "failed") options.onEnd(job.name, end === "done" ? "Done" : "Failed");
      if (end !== "more") return;
      failures = 0;
      attempts = 0;
    } catch (error) {
      signal.throwIfAborted();
      const isPassing = classifyFailure(error) === "infrastructure";
      if (!isPassing) failures += 1;
      attempts += 1;
      if (isRefusal(error) || failures >= FAILURES_MAX) return fail(options, job, error);
      options.logger.warn({ err: error, jobId, jobName: job.name, attempts }, "job step failed, retrying");
      await sleepUntilAborted(backOffMs(attempts, RETRY), signal);
    }
  }
}

/** Seconds after which a job whose account runs as many as it may is checked again, at least and at most. */
const NO_CAPACITY_SECONDS = { min: 1, max: 3 };

/** Takes a job, or gives it back as it is while its account runs as many of its kind as it may. */
function takeWithCapacity({ postgres, queue, clock }: RunnerOptions, jobId: string): Promise<Job | undefined> {
  return postgres.transaction(async (transaction) => {
    const job = await lockJob(transaction, jobId);
    if (job === undefined || job.isCounting || (await queue.hasRoom(transaction, job)))
      return takeJob(transaction, jobId, clock.nowMs());
    // Jobs that were given back together do not come back together.
    const { min, max } = NO_CAPACITY_SECONDS;
    await queue.giveBack(transaction, job, min + Math.floor(Math.random() * (max - min + 1)));
    return undefined;
  });
}

/** Returns whether no further attempt would change the error. */
function isRefusal(error: unknown): boolean {
  return error instanceof HeadwaterError && !error.retriable;
}

async function fail(options: RunnerOptions, job: Job, error: unknown): Promise<void> {
  const { code, message } = publicOf(error);
  logFailure(options.logger, job, error);
  const isFailed = await options.postgres.transaction(async (transaction) => {
    const now = await lockJob(transaction, job.id);
    if (now === undefined || now.attempt !== job.attempt || !isRunning(now)) return false;
    const at = options.clock.nowMs();
    if (now.isCounting) {
      // It stays canceled, with the counts that it has.
      await saveJob(transaction, { ...now, isCounting: false }, at);
      return false;
    }
    const metadata = { ...now.metadata, error: { code, message } };
    await endJob(transaction, { ...now, metadata }, { status: "Failed", at });
    return true;
  });
  if (isFailed) options.onEnd(job.name, "Failed");
}

/** A job that cannot do what was asked of it is its caller's matter, who is told why: nobody has to look. */
function logFailure(logger: Logger, { id: jobId, name: jobName }: Job, error: unknown): void {
  if (error instanceof HeadwaterError && error.status < 500) {
    logger.info({ code: error.code, jobId, jobName }, "job refused");
  } else logger.error({ err: error, jobId, jobName }, "job failed");
}

function publicOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof HeadwaterError) return { code: error.code, message: error.publicMessage };
  return { code: "INTERNAL_ERROR", message: "The job hit an internal error. Operators have been alerted." };
}

function unknownKind(name: JobName | string): Error {
  return new Error(`unknown job kind ${name}`);
}

function neverCameThrough(): Error {
  return new Error(`the job was started ${BEGUN_IN_VAIN_MAX} times without completing a step`);
}

function noAccount(): Error {
  return new Error("the job's account does not exist");
}
