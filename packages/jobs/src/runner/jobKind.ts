import type { ClickHouseBulk } from "@headwater/clickhouse/bulk";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import {
  type Account,
  type ErrorCode,
  type JobInput,
  type JobName,
  type JobResult,
  jobInputs,
} from "@headwater/contracts";
import type { Clock, Logger, Outbound, Sealer } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { HighWatermarks } from "@headwater/postgres/streams/logEnds";
import type { FrameProducer } from "@headwater/topics";
import type { z } from "zod";
import type { StorageSandbox } from "../destinations/sandbox/storageSandbox.ts";
import type { FileStore } from "../files/fileStore.ts";
import type { JobRejection } from "../queue/jobRejections.ts";
import type { SourceReader } from "../sources/createSourceReader.ts";

/** Ports of a job's steps. */
export interface JobPorts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  /** Statements of exports, which may take hours. */
  readonly bulk: ClickHouseBulk;
  /** Store of files for download; the service reads them there. */
  readonly files: FileStore;
  /** Time after its creation in which a block may still arrive in ClickHouse: a claim's and that of its insert. */
  readonly sinkSettleMs: number;
  /** Reads files that accounts wrote, in processes of their own. */
  readonly sources: SourceReader;
  /** Ways out to hosts that accounts name. */
  readonly outbound: Outbound;
  /** Calls storages that accounts name, in processes of their own. */
  readonly storages: StorageSandbox;
  /** Opens the secrets of accounts and jobs; undefined without a key. */
  readonly sealer: Sealer | undefined;
  /** Writes the rows of imports to the log. */
  readonly producer: Pick<FrameProducer, "append">;
  /** Reads where the log ends; rejects with a retriable 503 while Kafka is away. */
  readonly highWatermarks: HighWatermarks;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One step of one job. */
export interface Work<Input, Progress> {
  readonly jobId: string;
  readonly account: Account;
  readonly input: Input;
  /** Progress of the step before this one; undefined in the first. */
  readonly progress: Progress | undefined;
  /** Secrets that its request gave, sealed. */
  readonly secrets: string | undefined;
  /** Milliseconds since 1970 at which the job was asked for. */
  readonly createdAt: number;
  readonly nowMs: number;
  /** Counts the workers that took the job; what an attempt leaves outside of Postgres bears its number. */
  readonly attempt: number;
  /** Aborted when the process stops, and in work outside of Postgres when the job was canceled or another worker has it. */
  readonly signal: AbortSignal;
  /**
   * Aborted when the job was canceled and counts on: the step ends soon with what it has done, and the steps behind it only look what becomes
   * of that.
   */
  readonly canceled: AbortSignal;
  /** Reports the progress of work outside of Postgres, at once. */
  readonly report: (counts: { readonly totalItems: number; readonly completedItems: number }) => Promise<void>;
}

/** Members that answers show of a job after a step; absent ones stay. */
export interface StepReport {
  readonly totalItems?: number;
  readonly completedItems?: number;
  /** The counts so far, not those of the step. */
  readonly result?: Partial<JobResult>;
  /** Members that are added or replaced. */
  readonly metadata?: object;
  /** Shown with `include=statistic`. */
  readonly statistic?: object;
  /** Rows that this step refused; the index is their place in the source. */
  readonly rejections?: readonly JobRejection[];
}

export type StepEnd<Progress> = StepReport &
  (
    | { readonly kind: "more"; readonly progress: Progress }
    /** Nothing can be done for so long; the worker is free meanwhile. */
    | {
        readonly kind: "wait";
        readonly progress: Progress;
        readonly seconds: number;
        /** The account's other jobs come first: for what may wait for days. */
        readonly givesWay?: boolean;
        /** The job is shown as `Throttled` meanwhile. */
        readonly isThrottled?: boolean;
      }
    | { readonly kind: "done" }
    /** The job ends here; earlier steps stay. */
    | { readonly kind: "failed"; readonly error: { readonly code: ErrorCode; readonly message: string } }
  );

export interface JobDefinition<Name extends JobName, Progress, Outside> {
  readonly jobName: Name;
  /** The shape of what a step leaves for the next. */
  readonly progress: z.ZodType<Progress>;
  /**
   * Runs a step's work outside of Postgres. It comes before the step's transaction, and again when the worker is killed in between, so
   * doing it twice must equal doing it once.
   */
  readonly outside: (work: Work<JobInput<Name>, Progress>, ports: JobPorts) => Promise<Outside>;
  /** Bounded work of one transaction, which is rolled back as a whole or stored with the progress it answers. */
  readonly step: (
    work: Work<JobInput<Name>, Progress>,
    transaction: Transaction,
    outside: Outside,
  ) => Promise<StepEnd<Progress>>;
  readonly giveUp?: JobKind["giveUp"];
}

/** An attempt at a job: the fence of all that a worker does for it. */
export interface Attempt {
  readonly jobId: string;
  readonly attempt: number;
}

/** A kind of job for the runner, which knows nothing of its shapes. */
export interface JobKind {
  readonly jobName: JobName;
  /** Runs the work outside. @returns the step's transaction. */
  prepare(
    work: Work<unknown, unknown>,
    ports: JobPorts,
  ): Promise<(transaction: Transaction) => Promise<StepEnd<unknown>>>;
  /** Removes what an attempt left outside of Postgres that lost its job: to a cancel, or to another worker, which may need it. */
  readonly giveUp?: (lost: Attempt, ports: JobPorts) => Promise<void>;
}

/** A kind whose steps are more than one transaction. */
export function defineJobWithOutside<Name extends JobName, Progress, Outside>(
  definition: JobDefinition<Name, Progress, Outside>,
): JobKind {
  const { jobName, progress, outside, step, giveUp } = definition;
  return {
    jobName,
    ...(giveUp && { giveUp }),
    async prepare(work, ports) {
      const input = jobInputs[jobName].parse(work.input);
      const known = work.progress === undefined ? undefined : progress.parse(work.progress);
      const typed = { ...work, input, progress: known };
      const done = await outside(typed, ports);
      return (transaction) => step(typed, transaction, done);
    },
  };
}

/** A kind whose steps write to Postgres alone. */
export function defineJob<Name extends JobName, Progress>(
  definition: Omit<JobDefinition<Name, Progress, undefined>, "outside">,
): JobKind {
  return defineJobWithOutside<Name, Progress, undefined>({ ...definition, outside: async () => undefined });
}
