import { AsyncLocalStorage } from "node:async_hooks";
import { overShare } from "@headwater/kernel";
import { textArray } from "@headwater/postgres/connection/arrays";
import type { Transaction, Value } from "@headwater/postgres/connection/session";
import { QUEUE_SCHEMA, queueLimits, queueOf } from "@headwater/postgres/migrate/queueNames";
import { PgBoss } from "pg-boss";
import { hasCapacity, isOthersTurn, lockStarts, readNextTurn, readTurn, readWaiting } from "./turns.ts";

/** Message of the queue: everything else of a job stands in its row. */
export interface QueuedJob {
  readonly jobId: string;
}

export interface JobOfAccount {
  readonly id: string;
  /** The account's number. */
  readonly account: number;
  /** The kind of job, which says in which queue it waits. */
  readonly name: string;
}

/** Puts jobs in the queue. */
export interface JobQueue {
  /**
   * Adds a new job in the caller's transaction: one that is rolled back is never run, one that is committed always is.
   * @throws HeadwaterError 429 when the account has as many waiting as it may.
   */
  add(transaction: Transaction, job: JobOfAccount): Promise<void>;
  /**
   * Gives a job back that is not over.
   * @param startAfterSeconds how long it waits before a worker may take it.
   * @param position the former one among the accounts' turns (default), or the last of its account's: for what may wait for days.
   */
  giveBack(
    transaction: Transaction,
    job: JobOfAccount,
    startAfterSeconds: number,
    position?: "former" | "last",
  ): Promise<void>;
  /** Returns whether a job that was taken may run, or its account runs as many of its queue as it may. */
  hasRoom(transaction: Transaction, job: JobOfAccount): Promise<boolean>;
  /** Returns whether a job waits whose turn comes no later than this running one's, of an account of which fewer jobs run. */
  isOthersTurn(transaction: Transaction, job: JobOfAccount): Promise<boolean>;
}

export interface JobQueueOptions {
  /** Jobs of one account that this process runs at a time of each queue; only a worker runs some. */
  readonly jobsConcurrently?: number;
}

/**
 * The queue's entrance for any process; it keeps no connection and no timer of its own. All that it asks of Postgres goes through the
 * caller's transaction: who holds a connection and waits for a second one may wait for others that do the same.
 */
export function createJobQueue({ jobsConcurrently = Number.POSITIVE_INFINITY }: JobQueueOptions = {}): JobQueue {
  const transactions = new AsyncLocalStorage<Transaction>();
  // It is never started: what starts with it are timers, of which sending needs none.
  const boss = new PgBoss({ schema: QUEUE_SCHEMA, db: databaseOf(transactions) });
  const send = async (transaction: Transaction, job: JobOfAccount, at: { turn: number; startAfter: number }) => {
    const queued: QueuedJob = { jobId: job.id };
    const group = { id: String(job.account) };
    const place = { priority: -at.turn, startAfter: at.startAfter, group };
    const id = await transactions.run(transaction, () => boss.send(queueOf(job.name), queued, place));
    if (id === null) throw new Error(`the queue did not take the job ${job.id}`);
  };
  return {
    async add(transaction, job) {
      await lockStarts(transaction, job);
      const { waiting, turn } = await readNextTurn(transaction, job);
      const { waitingMax } = queueLimits[queueOf(job.name)];
      if (waiting >= waitingMax && (await readWaiting(transaction, job)) >= waitingMax) throw overShare("jobs");
      await send(transaction, job, { turn, startAfter: 0 });
    },
    async giveBack(transaction, job, startAfter, place = "former") {
      const turn = place === "last" ? (await readNextTurn(transaction, job)).turn : await readTurn(transaction, job);
      await send(transaction, job, { turn, startAfter });
    },
    hasRoom: (transaction, job) => hasCapacity(transaction, job, jobsConcurrently),
    isOthersTurn,
  };
}

function databaseOf(transactions: AsyncLocalStorage<Transaction>) {
  return {
    executeSql: async (text: string, values: unknown[] = []) => {
      const transaction = transactions.getStore();
      if (transaction === undefined) throw new Error("the queue is used in a transaction");
      return { rows: await transaction.query({ text }, values.map(toValue)) };
    },
  };
}

function toValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return textArray(value, String);
  throw new TypeError("pg-boss bound a value of a kind that sending is not known to use");
}
