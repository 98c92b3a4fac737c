import type { Account } from "@headwater/contracts";
import { defineJobWithOutside, type JobPorts, type StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Transaction } from "@headwater/postgres/connection/session";
import { readIncludeContents } from "../../includes/includeUses.ts";
import { beginMessage, lockSendingMessage, type SendingMessage, setMessageStatus } from "../startMessages.ts";
import { statusAfter } from "../transitions.ts";
import { checkExperiment, type LearntNow } from "./experiment/checkExperiment.ts";
import { feedSenders } from "./feedSenders.ts";
import { includesOfFrozen, readFrozen } from "./frozen.ts";
import { type SendProgress, sendProgress } from "./progress.ts";
import { storeSnapshot } from "./storeSnapshot.ts";
import { type SeenAudience, type SendWork, takeSnapshot } from "./takeSnapshot.ts";

/** A paused message is checked so often; a resume wakes its job. */
const PAUSED_SECONDS = 30;
const HOUR_MS = 3_600_000;
const BEGINNING: SendProgress = { phase: "begin" };

/**
 * Sends a batch message: takes a snapshot of its audience, stores it in chunks, and hands these to the senders as wanted sends until every
 * contact has an outcome. The message's state is read under its lock in each step; a kill between two steps loses and repeats nothing.
 */
export const sendBatchMessageJob = defineJobWithOutside({
  jobName: "SendBatchMessage",
  progress: sendProgress,
  outside: checkOutside,
  async step(work, transaction, seen): Promise<StepEnd<SendProgress>> {
    const { account, input, jobId, progress = BEGINNING, nowMs } = work;
    const message = await lockSendingMessage(transaction, { account: account.number, id: input.message });
    if (message?.job !== jobId) return { kind: "done" };
    if (message.status === "paused") return { kind: "wait", progress, seconds: PAUSED_SECONDS, givesWay: true };
    if (message.status !== "pending" && message.status !== "processing") return { kind: "done" };
    if (isLate(message, account, nowMs)) return holdLate(transaction, { message, progress, nowMs });
    if (progress.phase === "begin") return beginSending(transaction, message, nowMs);
    if (!message.isReady) {
      return storeSnapshot(transaction, { message, account, seen: seen.audience, progress, nowMs });
    }
    return feedSenders(transaction, { message, learnt: seen.experiment, progress, nowMs });
  },
});

/** A start that comes too late waits for somebody to look: an outage, a restored backup. */
function isLate({ status, sendAt }: SendingMessage, { settings }: Account, nowMs: number): boolean {
  return status === "pending" && sendAt !== null && nowMs - sendAt > settings.messaging.lateAfterHours * HOUR_MS;
}

interface LateMessage {
  readonly message: SendingMessage;
  readonly progress: SendProgress;
  readonly nowMs: number;
}

async function holdLate(
  transaction: Transaction,
  { message, progress, nowMs }: LateMessage,
): Promise<StepEnd<SendProgress>> {
  const { account, id } = message;
  const status = statusAfter(message.status, "hold");
  if (status !== undefined) await setMessageStatus(transaction, { account, id, status, reason: "late" }, nowMs);
  return { kind: "wait", progress, seconds: PAUSED_SECONDS, givesWay: true };
}

/** Starts a message: its includes are read now, and stay so whatever becomes of them. */
async function beginSending(
  transaction: Transaction,
  message: SendingMessage,
  nowMs: number,
): Promise<StepEnd<SendProgress>> {
  const { account, id } = message;
  const frozen = readFrozen(message.frozen);
  const contents = await readIncludeContents(transaction, account, includesOfFrozen(frozen));
  const includes = Object.fromEntries(contents.map(({ key, content }) => [key, content]));
  await beginMessage(transaction, { account, id, frozen: JSON.stringify({ ...frozen, includes }) }, nowMs);
  return { kind: "more", progress: { phase: "snapshot" } };
}

/** Result of reads outside of the step's transaction; empty where the message needs none now. */
interface Seen {
  readonly audience?: SeenAudience;
  readonly experiment?: LearntNow;
}

/** Reads what the next step of a message needs of ClickHouse and Kafka. */
async function checkOutside(work: SendWork, ports: JobPorts): Promise<Seen> {
  const { account, input, progress } = work;
  const key = { account: account.number, id: input.message };
  const message = await ports.postgres.transaction((transaction) => lockSendingMessage(transaction, key));
  if (message?.status !== "processing" || progress === undefined || progress.phase === "begin") return {};
  if (!message.isReady) {
    const audience = await takeSnapshot(work, message, ports);
    return audience === undefined ? {} : { audience };
  }
  const experiment = await checkExperiment(work, message, ports);
  return experiment === undefined ? {} : { experiment };
}
