import { statusAfter } from "@headwater/domain/batchMessage";
import {
  countMessageSends,
  expandChunks,
  readChunkTotals,
  type SendingMessage,
  setMessageStatus,
} from "@headwater/stores/batchMessages";
import type { Transaction } from "@headwater/stores/postgres";
import type { StepEnd } from "../../runner/jobKind.ts";
import { readFrozen } from "./frozen.ts";
import type { SendProgress } from "./progress.ts";

/** Wanted sends of a message that wait for a sender, at most, before more are made. */
const WAITING_MAX = 10_000;
const CHUNKS_AT_ONCE = 10;
/** Time between two looks at a message that is being sent. */
const LOOK_SECONDS = 1;

/** Makes wanted sends of the next chunks, and ends the message with its last outcome. */
export async function feedSenders(
  transaction: Transaction,
  message: SendingMessage,
  nowMs: number,
): Promise<StepEnd<SendProgress>> {
  const { account, id } = message;
  const before = await countMessageSends(transaction, message);
  if (before.waiting < WAITING_MAX) {
    const { channel, classification, onUnknown } = readFrozen(message.frozen);
    const rowsSay = { channel, classification, resendsLeft: onUnknown === "resend" ? 1 : 0 };
    await expandChunks(transaction, { account, id, dueBy: nowMs, nowMs, chunksMax: CHUNKS_AT_ONCE }, rowsSay);
  }
  const { contacts } = await readChunkTotals(transaction, message);
  const { open, paced, rows } = await countMessageSends(transaction, message);
  const counts = { totalItems: rows + contacts, completedItems: rows - open };
  const result = { totalRecords: counts.totalItems, updated: counts.completedItems };
  const status = open + contacts === 0 ? statusAfter(message.status, "done") : undefined;
  if (status === undefined) {
    const isThrottled = paced > 0;
    return { kind: "wait", progress: { phase: "snapshot" }, seconds: LOOK_SECONDS, isThrottled, ...counts, result };
  }
  await setMessageStatus(transaction, { account, id, status }, nowMs);
  return { kind: "done", ...counts, result };
}
