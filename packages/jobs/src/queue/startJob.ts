import type { JobInput, JobName } from "@headwater/contracts";
import { newJobId } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { insertNotices, type NewNotice } from "./jobNotices.ts";
import type { JobQueue } from "./jobQueue.ts";
import { insertJob, scheduleInserted, unscheduleJob } from "./jobs.ts";

export interface JobToStart<Name extends JobName> {
  readonly account: number;
  readonly jobName: Name;
  readonly input: JobInput<Name>;
  /** Number of items it will have, as far as that is known; the job may correct it. Default 0. */
  readonly totalItems?: number;
  /** Facts that answers show from the beginning: ids, never an address. */
  readonly metadata?: object;
  /** Secrets that the request gave, sealed. */
  readonly secrets?: string | undefined;
  /** Addresses that are notified when the job has ended. */
  readonly notices?: readonly NewNotice[];
  /** Id of the key that asked for it. */
  readonly madeBy: string;
  readonly nowMs: number;
}

/**
 * Starts a job in the caller's transaction: with its other writes and its `Idempotency-Key`, or not at all.
 * @returns the job's id, 24 hex characters.
 * @throws HeadwaterError 429 when the account has as many jobs waiting as it may.
 */
export async function startJob<Name extends JobName>(
  transaction: Transaction,
  queue: JobQueue,
  job: JobToStart<Name>,
): Promise<string> {
  const id = await storeJob(transaction, job);
  await queue.add(transaction, { id, account: job.account, name: job.jobName });
  return id;
}

/** Stores a job that starts later: it is `Scheduled` until `releaseJob`. @returns the job's id. */
export async function scheduleJob<Name extends JobName>(
  transaction: Transaction,
  job: JobToStart<Name>,
): Promise<string> {
  const id = await storeJob(transaction, job);
  await scheduleInserted(transaction, id);
  return id;
}

/** Puts a scheduled job in the queue. @throws HeadwaterError 429 when the account has as many jobs waiting as it may. */
export async function releaseJob(
  transaction: Transaction,
  queue: JobQueue,
  job: { readonly id: string; readonly account: number; readonly name: JobName },
): Promise<void> {
  await unscheduleJob(transaction, job.id);
  await queue.add(transaction, job);
}

async function storeJob<Name extends JobName>(transaction: Transaction, job: JobToStart<Name>): Promise<string> {
  const { account, jobName: name, input, totalItems = 0, metadata = {}, madeBy: createdBy, nowMs: createdAt } = job;
  const { secrets, notices = [] } = job;
  const id = newJobId();
  await insertJob(transaction, {
    id,
    account,
    name,
    input,
    totalItems,
    metadata,
    secrets,
    madeBy: createdBy,
    createdAt,
  });
  await insertNotices(transaction, { id, account }, notices);
  return id;
}
