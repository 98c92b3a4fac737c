import pg from "pg";
import { toPublicError } from "./failures.ts";
import type { Session, Transaction } from "./session.ts";

/** Savepoints nest under one name: each statement means the latest. */
const SET = { text: "SAVEPOINT part" };
const ROLL_BACK = { text: "ROLLBACK TO SAVEPOINT part" };
const RELEASE = { text: "RELEASE SAVEPOINT part" };
const ABORTED_TRANSACTION = "25P02";

/**
 * Runs a part of a transaction that leaves nothing behind when it fails: its writes are undone and its locks are free, and the
 * transaction goes on. The part has a session of its own, which ends with it.
 * @throws what `run` throws, and Postgres' errors as a transaction reports them; of statements sent together that of the first to fail.
 */
export async function withSavepoint<Result>(
  transaction: Transaction,
  run: (part: Transaction) => Promise<Result>,
): Promise<Result> {
  return runPart(transaction, { run, isKept: true });
}

/** Runs a part that leaves nothing behind whether it fails or not. Errors as `withSavepoint` throws them. */
export async function rehearse(transaction: Transaction, run: (part: Transaction) => Promise<unknown>): Promise<void> {
  await runPart(transaction, { run, isKept: false });
}

interface Part<Result> {
  readonly run: (part: Transaction) => Promise<Result>;
  readonly isKept: boolean;
}

async function runPart<Result>(transaction: Transaction, { run, isKept: isStored }: Part<Result>): Promise<Result> {
  await transaction.execute(SET);
  const part = new PartSession(transaction);
  try {
    const result = await run(part);
    await part.end();
    if (!isStored) await transaction.execute(ROLL_BACK);
    await transaction.execute(RELEASE);
    return result;
  } catch (error) {
    await part.end();
    await transaction.execute(ROLL_BACK);
    await transaction.execute(RELEASE);
    throw toPublicError(part.reasonOf(error));
  }
}

/**
 * The statements of one part. One that is sent after the part ended is refused: whoever sent it did not know yet that a statement
 * next to it had failed, and it would be kept.
 */
class PartSession implements Transaction {
  readonly inTransaction = true;
  readonly erasureSecret?: Buffer | undefined;
  readonly #transaction: Transaction;
  readonly #pending = new Set<Promise<unknown>>();
  readonly #failures: unknown[] = [];
  #hasEnded = false;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
    this.erasureSecret = transaction.erasureSecret;
  }

  query: Session["query"] = (statement, values) => this.#send(() => this.#transaction.query(statement, values));
  execute: Session["execute"] = (statement, values) => this.#send(() => this.#transaction.execute(statement, values));

  /** Waits for what was sent, whatever becomes of it. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await Promise.allSettled(this.#pending);
  }

  /** A statement behind the one that failed says only that the transaction is aborted. */
  reasonOf(error: unknown): unknown {
    const isAborted = error instanceof pg.DatabaseError && error.code === ABORTED_TRANSACTION;
    return isAborted ? (this.#failures[0] ?? error) : error;
  }

  async #send<Result>(send: () => Promise<Result>): Promise<Result> {
    if (this.#hasEnded) throw new Error("The part of the transaction has ended");
    const sent = send();
    this.#pending.add(sent);
    try {
      return await sent;
    } catch (error) {
      this.#failures.push(error);
      throw error;
    } finally {
      this.#pending.delete(sent);
    }
  }
}
