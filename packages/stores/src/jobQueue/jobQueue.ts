import { PgBoss } from "pg-boss";
import { textArray } from "../postgres/arrays.ts";
import type { Postgres } from "../postgres/postgres.ts";
import type { Session, Transaction, Value } from "../postgres/session.ts";

/** pg-boss' own tables. */
export const QUEUE_SCHEMA = "job_queue";
export const QUEUE = "jobs";

/** What the queue carries: everything else of a job stands in its row. */
export interface QueuedJob {
  readonly jobId: string;
}

/** Puts jobs in the queue. */
export interface JobQueue {
  /**
   * In the caller's transaction: a job that is rolled back is never run, one that is committed always is.
   * @param startAfterSeconds how long it waits before a worker may take it; default 0.
   */
  add(transaction: Transaction, jobId: string, startAfterSeconds?: number): Promise<void>;
}

/** The queue's entrance for any process; it keeps no connection and no timer of its own. */
export function createJobQueue(postgres: Postgres): JobQueue {
  // It is never started: what starts with it are timers, of which sending needs none.
  const boss = new PgBoss({ schema: QUEUE_SCHEMA, db: databaseOf(postgres) });
  return {
    async add(transaction, jobId, startAfterSeconds = 0) {
      const queued: QueuedJob = { jobId };
      const id = await boss.send(QUEUE, queued, { db: databaseOf(transaction), startAfter: startAfterSeconds });
      if (id === null) throw new Error(`the queue did not take the job ${jobId}`);
    },
  };
}

function databaseOf(session: Session) {
  return {
    executeSql: async (text: string, values: unknown[] = []) => {
      return { rows: await session.query({ text }, values.map(toValue)) };
    },
  };
}

function toValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return textArray(value, String);
  throw new TypeError("pg-boss bound a value of a kind that sending is not known to use");
}
