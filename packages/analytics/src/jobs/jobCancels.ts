import type { Job } from "@headwater/jobs/queue/jobs";
import type { Transaction } from "@headwater/postgres/connection/session";

/**
 * Runs in the transaction that cancels a job of a context above. `ended`: the job has its end already.
 * @param at milliseconds since 1970.
 */
export type JobCancel = (transaction: Transaction, job: Job, at: number) => Promise<"ended" | undefined>;

/** Cancels by the name of the job. */
export type JobCancels = Readonly<Record<string, JobCancel | undefined>>;
