import type { JobQueue } from "@headwater/jobs/queue/jobQueue";
import { lockJob } from "@headwater/jobs/queue/jobs";
import { releaseJob } from "@headwater/jobs/queue/startJob";
import { type Clock, createWorkLoop, type Logger, type WorkLoop } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { StoreClock } from "@headwater/postgres/connection/storeClock";
import { expandChunks } from "../batchMessages/sendChunks.ts";
import { readFrozen } from "../batchMessages/sendJob/frozen.ts";
import {
  lockSendingMessage,
  readDueMessages,
  readEndedMessages,
  setMessageStatus,
} from "../batchMessages/startMessages.ts";
import { stopMessage } from "../batchMessages/stopMessage.ts";
import { statusAfter } from "../batchMessages/transitions.ts";

const CHECK_EVERY_MS = 1_000;
const MESSAGES_AT_ONCE = 20;
const CHUNKS_AT_ONCE = 10;

export interface MessagePorts {
  readonly postgres: Postgres;
  readonly queue: JobQueue;
  readonly clock: Clock;
}

export interface MessageUpkeepOptions extends MessagePorts {
  /** Clock of Postgres: messages and ticks are due by it. */
  readonly clock: StoreClock;
  readonly logger: Logger;
}

/** Creates the loop that starts messages when they are due, and writes a row for every contact of a canceled one. */
export function createMessageUpkeep({ logger, ...ports }: MessageUpkeepOptions): WorkLoop {
  return createWorkLoop({
    work: async () => {
      await ports.clock.refresh();
      return stepMessages(ports);
    },
    idleMs: CHECK_EVERY_MS,
    minMs: 200,
    maxMs: 10_000,
    onRetry: ({ error }) => logger.warn({ err: error }, "starting due messages failed, retrying"),
  });
}

interface MessageKey {
  readonly account: number;
  readonly id: string;
}

/** Starts due messages and finishes ended ones. Any number of workers share the work. @returns whether there may be more to do at once. */
export async function stepMessages(ports: MessagePorts): Promise<boolean> {
  const due = await readDueMessages(ports.postgres, ports.clock.nowMs(), MESSAGES_AT_ONCE);
  for (const message of due) await startDue(message, ports);
  const ended = await readEndedMessages(ports.postgres, MESSAGES_AT_ONCE);
  for (const message of ended) await endRest(message, ports);
  return due.length + ended.length > 0;
}

function startDue(
  { account, id, job }: MessageKey & { readonly job: string },
  { postgres, queue, clock }: MessagePorts,
) {
  return postgres.transaction(async (transaction) => {
    await lockJob(transaction, job);
    const message = await lockSendingMessage(transaction, { account, id });
    const status = message?.job === job ? statusAfter(message.status, "due") : undefined;
    if (status === undefined) return;
    await setMessageStatus(transaction, { account, id, status }, clock.nowMs());
    await releaseJob(transaction, queue, { id: job, account, name: "SendBatchMessage" });
  });
}

function endRest({ account, id }: MessageKey, { postgres, clock }: MessagePorts) {
  return postgres.transaction(async (transaction) => {
    const message = await lockSendingMessage(transaction, { account, id });
    if (message === undefined) return;
    const nowMs = clock.nowMs();
    const failed = statusAfter(message.status, "fail");
    if (failed !== undefined) {
      await stopMessage(transaction, { account, id, status: "failed", reason: "job-failed" }, nowMs);
      return;
    }
    const { channel, classification } = readFrozen(message.frozen);
    const rowsSay = { channel, classification, resendsLeft: 0, skipped: "canceled" };
    const chunks = { account, id, dueBy: Number.MAX_SAFE_INTEGER, nowMs, chunksMax: CHUNKS_AT_ONCE, withWaiting: true };
    await expandChunks(transaction, chunks, rowsSay);
  });
}
