import { createAccount, findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { type Account, accountSettings } from "@headwater/contracts";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { createJobQueue, type JobQueue } from "@headwater/jobs/queue/jobQueue";
import { type Job, readStoredJob } from "@headwater/jobs/queue/jobs";
import { createJobWorker, type JobWorkerOptions } from "@headwater/jobs/queue/jobWorker";
import { startJob } from "@headwater/jobs/queue/startJob";
import type { JobKind } from "@headwater/jobs/runner/jobKind";
import { runJob } from "@headwater/jobs/runner/runJob";
import type { RunnerOptions } from "@headwater/jobs/runner/runnerOptions";
import { createOutbound, newAccountId, systemClock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { type Fresh, freshPostgres, logger, noBulk } from "../stores/fresh.ts";
import { sources, storages } from "./sandboxes.ts";

/** A database with an account, and workers of this process over it. */
export interface JobsWorld {
  readonly postgres: Postgres;
  readonly url: string;
  readonly queue: JobQueue;
  readonly account: Account;
  /** Options of `runJob` for these kinds. */
  runner(kinds: readonly JobKind[]): RunnerOptions;
  /** A worker with the queue library, stopped by the test. */
  work(
    kinds: readonly JobKind[],
    jobsConcurrently?: number,
    admission?: JobWorkerOptions["admission"],
  ): Promise<{ stop(): Promise<void> }>;
  /** Starts a job that a test's own kind of the name will run. */
  start(): Promise<string>;
  job(id: string): Promise<Job>;
  drop(): Promise<void>;
}

export const TEST_JOB = "ClearList" as const;

export async function startJobsWorld(clickhouse?: ClickHouse): Promise<JobsWorld> {
  const fresh: Fresh<Postgres> = await freshPostgres();
  const { store: postgres, url } = fresh;
  const settings = accountSettings.parse({});
  const account = await createAccount(postgres, { id: newAccountId(), name: "test", settings });
  const queue = createJobQueue();
  const runner = (kinds: readonly JobKind[]): RunnerOptions => ({
    postgres,
    clickhouse: clickhouse ?? noClickHouse,
    bulk: noBulk,
    files: createFileStore({ folder: "/nonexistent" }),
    sources,
    storages,
    outbound: createOutbound({ allow: [] }),
    sealer: undefined,
    producer: { append: away },
    sinkSettleMs: 0,
    highWatermarks: async () => [],
    clock: systemClock,
    logger,
    queue,
    kinds: new Map(kinds.map((kind) => [kind.jobName, kind])),
    account: (number) => findAccountByNumber(postgres, number),
    onEnd: () => undefined,
  });
  return {
    postgres,
    url,
    queue,
    account,
    runner,
    async work(kinds, jobsConcurrently = 2, admission = undefined) {
      const options = runner(kinds);
      const worker = createJobWorker({
        url,
        applicationName: "test-worker",
        admission,
        jobsConcurrently,
        run: (jobId, signal) => runJob({ ...options, queue: createJobQueue({ jobsConcurrently }) }, jobId, signal),
        logger,
      });
      await worker.start?.();
      return { stop: async () => void (await worker.stop?.()) };
    },
    start: () => postgres.transaction((transaction) => startJob(transaction, queue, newJob(account))),
    async job(id) {
      const job = await readStoredJob(postgres, account.number, id);
      if (job === undefined) throw new Error(`there is no job ${id}`);
      return job;
    },
    drop: () => fresh.drop(),
  };
}

export function newJob({ number: account }: Account) {
  const input = { list: 1, version: "0".repeat(32) };
  return { account, jobName: TEST_JOB, input, madeBy: "test", nowMs: systemClock.nowMs() };
}

const away = () => Promise.reject(new Error("this test has no ClickHouse"));
const noClickHouse: ClickHouse = { query: away, insertBlock: away, command: away, ping: away, close: away };

/** Form of the files of an export, as its job stores it. */
export const exportForm = {
  format: "csv",
  compression: "none",
  showHeader: true,
  delimiter: ",",
  bom: false,
  formulaSafe: true,
} as const;
/** Watermark of an export that nothing was written before. */
export const emptyWatermark = { token: "t", asOf: 0, offsets: {}, position: 0 };
