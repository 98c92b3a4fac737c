import type { Receipt, ReceiptPart } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import {
  countRejections,
  type OpenOffset,
  type RejectStatus,
  readOffsets,
  readReceiptCounts,
  readRejections,
  type Session,
} from "@headwater/stores";
import { z } from "zod";
import { storableText } from "../../paging/query.ts";
import { hasPassed } from "../../settled/hasPassed.ts";
import { isWriteOfV2, STATE_GROUP, topicOfLane } from "../../settled/streams.ts";
import { type Known, stateOf, tallyRecords } from "./tally.ts";

const REJECTIONS_MAX = 1_000;
const REJECTED: readonly RejectStatus[] = ["open", "redriven", "discarded"];
const SHOWN: readonly RejectStatus[] = [...REJECTED, "parked"];
const cursorKey = z.tuple([z.number().int(), storableText(1_024)]);

/** What became of the records of a request so far; `account` is its number. @param session sees one moment. */
export async function readOutcome(receipt: Receipt, account: number, cursor: string | undefined, session: Session) {
  const { requestId } = receipt;
  const [offsets, counts, rejects, page] = await Promise.all([
    readOffsets(session, [STATE_GROUP]),
    readReceiptCounts(session, account, requestId),
    countRejections(session, account, requestId),
    readPage(account, requestId, cursor, session),
  ]);
  const of = (wanted: readonly RejectStatus[]) =>
    rejects.filter(({ status }) => wanted.includes(status)).reduce((sum, { count }) => sum + count, 0);
  const skips = { ...counts.skips };
  // Records that were parked and had nothing to do when they came again stand in their row alone.
  for (const { status, code, count } of rejects) if (status === "skipped") skips[code] = (skips[code] ?? 0) + count;
  const known: Known = {
    skipped: Object.values(skips).reduce((sum, count) => sum + count, 0),
    rejected: of(REJECTED),
    parked: of(["parked"]),
  };
  const records = tallyRecords(receipt, (part) => isPassed(offsets, part, receipt), known);
  return { state: stateOf(records), records, skips, warnings: counts.warnings, ...page };
}

function isPassed(offsets: readonly OpenOffset[], part: ReceiptPart, receipt: Receipt): boolean {
  if (isWriteOfV2(part.lane)) return true;
  const topic = topicOfLane(part.lane);
  const row = offsets.find((entry) => entry.topic === topic && entry.partition === part.partition);
  return hasPassed(row, part, receipt);
}

async function readPage(account: number, requestId: string, cursor: string | undefined, session: Session) {
  const [index, recordId] = cursor === undefined ? [-1, ""] : openCursor(cursor);
  const page = { account, requestId, statuses: SHOWN, after: { index, recordId }, rowsMax: REJECTIONS_MAX + 1 };
  const rows = await readRejections(session, page);
  const kept = rows.slice(0, REJECTIONS_MAX);
  const last = kept.at(-1);
  const rejections = kept.map(({ index: item, path, code, message }) => ({ index: item, path, code, message }));
  if (rows.length <= REJECTIONS_MAX || last === undefined) return { rejections, next: null };
  return { rejections, next: Buffer.from(JSON.stringify([last.index, last.recordId])).toString("base64url") };
}

function openCursor(cursor: string): [number, string] {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const parsed = /^\[/.test(text) ? cursorKey.safeParse(parseOrNull(text)) : undefined;
  if (parsed?.success) return parsed.data;
  throw refusal("INVALID_CURSOR", "The cursor cannot be read.");
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** An unknown, malformed or expired receipt, or one of another account. */
export function unknownReceipt() {
  return refusal("RECORD_NOT_FOUND", "There is no such receipt, or it is older than 7 days.");
}

export function toAnswer(outcome: Awaited<ReturnType<typeof readOutcome>>): Answer {
  return { status: 200, body: outcome };
}
