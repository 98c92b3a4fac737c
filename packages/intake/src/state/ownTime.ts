import type { Transaction } from "@headwater/postgres/connection/session";

/**
 * Measures the time for which a transaction's own code keeps the process: the processor time of this thread from an answer of Postgres
 * until everything that waited for it has run. A paused process, a busy machine and other work of the process count nothing.
 */
export class OwnTime {
  #longestMs = 0;

  /** Longest time without a statement, in milliseconds of a core. */
  get longestMs(): number {
    return this.#longestMs;
  }

  /** Returns a transaction with the same statements, whose answers are measured. */
  over(transaction: Transaction): Transaction {
    return {
      ...transaction,
      query: (statement, values) => this.#measured(transaction.query(statement, values)),
      execute: (statement, values) => this.#measured(transaction.execute(statement, values)),
    };
  }

  async #measured<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } finally {
      const before = process.threadCpuUsage();
      // Runs when the queue of promises is empty, before any other event of the loop.
      process.nextTick(() => {
        const { user, system } = process.threadCpuUsage(before);
        this.#longestMs = Math.max(this.#longestMs, (user + system) / 1_000);
      });
    }
  }
}
