import { createWorkLoop, type Logger, type WorkLoop } from "@headwater/kernel";
import { type RejectRow, rescheduleRejects, takeDueRejects } from "@headwater/stores";
import { type RedriveStepOptions, stepRedrive } from "../redrive/redriveStep.ts";

const ROWS_MAX = 500;
const LOOK_EVERY_MS = 500;
/** A redrive whose end is not seen by then is made again; it is applied once all the same. */
const LEASE_MS = 60_000;

export interface RedriverOptions extends RedriveStepOptions {
  readonly logger: Logger;
}

/**
 * Writes refused records to the log again, with their original's version: parked ones when they are due, under their own id,
 * and those that a person's redrive selects, under a new one.
 */
export function createRedriver(options: RedriverOptions): WorkLoop {
  const loopOf = (work: () => Promise<boolean>) =>
    createWorkLoop({
      work,
      idleMs: LOOK_EVERY_MS,
      minMs: 100,
      maxMs: 5_000,
      onRetry: ({ error, attempt }) =>
        options.logger.warn({ err: error, attempt }, "refused records cannot be written again yet"),
    });
  // Each kind of work for itself: neither waits for the other.
  const loops = [loopOf(async () => (await redriveOnce(options)) > 0), loopOf(() => stepRedrive(options))];
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** @returns how many records were written again. */
export async function redriveOnce(options: RedriverOptions): Promise<number> {
  const nowMs = options.clock.nowMs();
  const due = await options.postgres.transaction(async (transaction) => {
    const rows = await takeDueRejects(transaction, nowMs, ROWS_MAX);
    await rescheduleRejects(transaction, rows, nowMs + LEASE_MS);
    return rows;
  });
  const messages = await Promise.all(due.map((row) => toMessage(options, row)));
  if (messages.length > 0) await options.producer.publish(messages);
  return due.length;
}

/** One record a message, for the version is the message's header; in the partition it was in, so after what came before. */
async function toMessage({ codec, account }: RedriverOptions, row: RejectRow) {
  const found = await account(row.account);
  if (found === undefined) throw new Error(`account ${row.account} of a parked record does not exist`);
  const record: object = JSON.parse(row.payload);
  const text = JSON.stringify({ ...record, redriveOf: row.recordId });
  return {
    topic: row.topic,
    partition: row.partition,
    key: found.id,
    value: codec.frame(`intake.${row.operation}`, found.id, [text]),
    headers: { version: row.version },
  };
}
