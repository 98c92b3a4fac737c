import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { withSavepoint } from "@headwater/postgres/connection/savepoint";
import type { AtCommit, Session, Transaction } from "@headwater/postgres/connection/session";
import { isWriteConflict } from "@headwater/postgres/connection/writeConflict";

/** Another transaction changed what this one has read: the whole of it runs again, over a new snapshot. */
export class SnapshotPassed extends Error {}

/** Effects of a write outside of its tables. */
export interface Effects {
  /** Jobs that were put in the queue. */
  jobs: number;
  /** Records for the log. */
  records: number;
}

/** One transaction around a route: what the route takes for transactions of its own are savepoints of it. */
export interface Work {
  readonly transaction: Transaction;
  /** Records are written to the log. */
  readonly isLive: boolean;
  readonly effects: Effects;
  /** Milliseconds by which the clock of the route is ahead. */
  readonly aheadMs: number;
}

interface Frame extends Work {
  readonly depth: number;
  /** End of the savepoint that was begun last: two that are begun together follow each other. */
  last: Promise<unknown>;
}

export interface DryRuns {
  /** Runs the function, and all that it starts, within the transaction. */
  within<Result>(work: Work, run: () => Promise<Result>): Promise<Result>;
  /** Reaches Postgres by the transaction of the work that runs. */
  readonly postgres: Postgres;
  readonly clock: Clock;
  /** Returns the work that runs. */
  current(): Pick<Work, "isLive" | "effects">;
}

/**
 * Creates the ports of routes that run within a transaction of their caller's. Routes know nothing of it: a port that their calls share
 * can find the call's transaction only by the context in which it runs.
 */
export function createDryRuns(clock: Clock): DryRuns {
  const storage = new AsyncLocalStorage<Frame>();
  const current = (): Frame => {
    const frame = storage.getStore();
    if (frame === undefined) throw new Error("a route of dry runs was called outside of one");
    return frame;
  };
  const session = sessionOver(() => current().transaction);
  return {
    within: (work, run) => storage.run({ ...work, depth: 0, last: Promise.resolve() }, run),
    current,
    clock: {
      nowMs: () => clock.nowMs() + (storage.getStore()?.aheadMs ?? 0),
      monotonicMs: () => clock.monotonicMs(),
    },
    postgres: {
      ...session,
      get erasureSecret() {
        return current().transaction.erasureSecret;
      },
      transaction(run) {
        const outer = current();
        const begun = outer.last.then(() =>
          inSavepoint(outer, (inner, atCommit) => storage.run(inner, () => run(inner.transaction, atCommit))),
        );
        outer.last = Promise.allSettled([begun]);
        return begun;
      },
      ping: async () => void (await session.query({ text: "SELECT 1" })),
      close: async () => undefined,
    },
  };
}

function sessionOver(transaction: () => Transaction): Session {
  return {
    query: (statement, values) => transaction().query(statement, values),
    execute: (statement, values) => transaction().execute(statement, values),
  };
}

/** Limit of a wait for what is outside, once something was written: it holds locks, and the relay behind them. */
const IDLE_MAX = { text: "SET LOCAL idle_in_transaction_session_timeout = '5s'" };

/** Runs a function as a part of the transaction: its error takes back what it wrote, and leaves the transaction usable. */
async function inSavepoint<Result>(
  { transaction, depth, ...work }: Frame,
  run: (frame: Frame, atCommit: AtCommit) => Promise<Result>,
): Promise<Result> {
  if (depth === 0) await transaction.execute(IDLE_MAX);
  try {
    return await withSavepoint(transaction, async (part) => {
      const last: (() => Promise<unknown>)[] = [];
      const atCommit: AtCommit = (statement, values) => void last.push(() => part.execute(statement, values));
      const frame = { ...work, transaction: part, depth: depth + 1, last: Promise.resolve() };
      const result = await run(frame, atCommit);
      for (const send of last) await send();
      return result;
    });
  } catch (error) {
    // Within this snapshot the route would meet the same conflict again, however often it retries.
    throw isWriteConflict(error) ? new SnapshotPassed("changed since the snapshot", { cause: error }) : error;
  }
}
