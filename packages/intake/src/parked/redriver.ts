import type { RejectRow } from "@headwater/contracts";
import { classifyFailure, createWorkLoop, type Logger, type WorkLoop } from "@headwater/kernel";
import { expectPublishable, type RawMessage } from "@headwater/topics";
import { reasonOf } from "../quarantine/quarantine.ts";
import { type RedriveStepOptions, stepRedrive } from "../redrive/redriveStep.ts";
import { ATTEMPT_HEADER } from "../state/loggedRecord.ts";
import type { ParkedRecords } from "./parkedRecords.ts";

const ROWS_MAX = 500;
const CHECK_EVERY_MS = 500;
/** A redrive whose end is not seen by then is made again; it is applied once all the same. */
const LEASE_MS = 60_000;

export interface RedriverOptions extends RedriveStepOptions {
  readonly parked: ParkedRecords;
  readonly logger: Logger;
}

/** Everything that parked records are redriven with. */
export type RedriveOptions = Omit<RedriverOptions, "postgres">;

/**
 * Writes refused records to the log again, with their original's version: parked ones when they are due, under their own id,
 * and those that a person's redrive selects, under a new one.
 */
export function createRedriver(options: RedriverOptions): WorkLoop {
  const loopOf = (work: () => Promise<boolean>) =>
    createWorkLoop({
      work,
      idleMs: CHECK_EVERY_MS,
      minMs: 100,
      maxMs: 5_000,
      onRetry: ({ error, attempt }) =>
        options.logger.warn({ err: error, attempt }, "redrive of parked records failed, retrying"),
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

/**
 * Each row by itself: one that can never be written again is rejected with its reason, and the others go on.
 * @returns how many records were dealt with.
 */
export async function redriveOnce(options: RedriveOptions): Promise<number> {
  const { parked, clock, producer } = options;
  const nowMs = clock.nowMs();
  const due = await parked.takeDue({ nowMs, rowsMax: ROWS_MAX, againAtMs: nowMs + LEASE_MS });
  const { messages, refused } = await toMessages(options, due);
  await rejectParked(options, refused, nowMs);
  if (messages.length > 0) await producer.publish(messages);
  return due.length;
}

interface RefusedRow {
  readonly row: RejectRow;
  readonly error: unknown;
}

async function toMessages(options: RedriveOptions, due: readonly RejectRow[]) {
  const messages: RawMessage[] = [];
  const refused: RefusedRow[] = [];
  for (const row of due) {
    try {
      messages.push(await toMessage(options, row));
    } catch (error) {
      if (classifyFailure(error) !== "poison") throw error;
      refused.push({ row, error });
    }
  }
  return { messages, refused };
}

/** They are dead letters from now on, as after their last attempt. */
async function rejectParked(
  { parked, logger }: RedriveOptions,
  refused: readonly RefusedRow[],
  nowMs: number,
): Promise<void> {
  if (refused.length === 0) return;
  const rejected = refused.map(({ row, error }): RejectRow => {
    const message = `The record cannot be redriven: ${reasonOf(error)}.`;
    return { ...row, status: "open", code: "INTERNAL_ERROR", path: "", message, rejectedAt: nowMs, dueAt: null };
  });
  await parked.reject(rejected);
  for (const { row, error } of refused) {
    const { account, recordId, operation } = row;
    logger.error({ err: error, account, recordId, operation }, "parked record cannot be redriven; rejecting it");
  }
}

/**
 * One record a message, for the version and the number of the attempt are the message's headers; in the partition it was in, so after
 * what came before. An attempt that is published twice is one attempt.
 */
async function toMessage({ codec, account }: RedriveOptions, row: RejectRow): Promise<RawMessage> {
  const found = await account(row.account);
  if (found === undefined) throw new TypeError(`account ${row.account} of a parked record does not exist`);
  const record: object = JSON.parse(row.payload);
  const text = JSON.stringify({ ...record, redriveOf: row.recordId });
  const value = codec.frame(`intake.${row.operation}`, found.id, [text]);
  expectPublishable(row.topic, value);
  const headers = { version: row.version, [ATTEMPT_HEADER]: String(row.attempts + 1) };
  return { topic: row.topic, partition: row.partition, key: found.id, value, headers };
}
