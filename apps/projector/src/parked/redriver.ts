import { type Logger, retryForever } from "@headwater/kernel";
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
export function createRedriver(options: RedriverOptions) {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  /** Each kind of work for itself: neither waits for the other. @param work tells whether there was anything to do. */
  const loop = async (work: () => Promise<boolean>) => {
    while (!stopping.signal.aborted) {
      const isBusy = await retryForever(work, {
        signal: stopping.signal,
        minMs: 100,
        maxMs: 5_000,
        onRetry: ({ error, attempt }) =>
          options.logger.warn({ err: error, attempt }, "refused records cannot be written again yet"),
      });
      if (!isBusy) await pause(stopping.signal);
    }
  };
  const run = () => Promise.all([loop(async () => (await redriveOnce(options)) > 0), loop(() => stepRedrive(options))]);
  return {
    start() {
      running = run().catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error;
      });
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, LOOK_EVERY_MS);
    signal.addEventListener("abort", end, { once: true });
  });
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
