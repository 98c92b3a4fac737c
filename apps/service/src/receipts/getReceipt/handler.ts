import { type Receipt, type ReceiptPart, STATE_GROUP, topicOfLane } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { placeInItem } from "@headwater/operations";
import type { RejectStatus } from "@headwater/stores/deadLetters";
import type { Session } from "@headwater/stores/postgres";
import { countRejections, readReceiptCounts, readRejections } from "@headwater/stores/receipts";
import { type OpenOffset, readOffsets } from "@headwater/stores/streams";
import { z } from "zod";
import { fateOf, type PartFate } from "../../consistency/hasPassed.ts";
import { isWriteOfV2 } from "../../consistency/streams.ts";
import type { Cursors } from "../../paging/cursors.ts";
import { invalidCursor } from "../../paging/page.ts";
import { storableText } from "../../paging/query.ts";
import { type Known, stateOf, tallyRecords } from "./tally.ts";

const REJECTIONS_MAX = 1_000;
const REJECTED: readonly RejectStatus[] = ["open", "redriven", "discarded"];
const SHOWN: readonly RejectStatus[] = [...REJECTED, "parked"];
const cursorKey = z.tuple([z.number().int(), storableText(1_024)]);

interface Reading {
  /** The session of a snapshot read. */
  readonly session: Session;
  readonly cursors: Cursors;
}

/** Reads the outcome of a request's records so far; `account` is its number. */
export async function readOutcome(receipt: Receipt, account: number, cursor: string | undefined, reading: Reading) {
  const { requestId } = receipt;
  const { session } = reading;
  const [offsets, counts, rejects, page] = await Promise.all([
    readOffsets(session, [STATE_GROUP]),
    readReceiptCounts(session, account, requestId),
    countRejections(session, account, requestId),
    readPage(account, requestId, cursor, reading),
  ]);
  const of = (wanted: readonly RejectStatus[]) =>
    rejects.filter(({ status }) => wanted.includes(status)).reduce((sum, { count }) => sum + count, 0);
  const skips = { ...counts.skips };
  // Records that were parked and had nothing to do when they came again stand in their row alone.
  for (const { status, code, count } of rejects) if (status === "skipped") skips[code] = (skips[code] ?? 0) + count;
  const fates = new Map(receipt.parts.map((part) => [part, fateOfPart(offsets, part, receipt)]));
  const lost = receipt.parts.filter((part) => fates.get(part) === "lost");
  const known: Known = {
    skipped: Object.values(skips).reduce((sum, count) => sum + count, 0),
    rejected: of(REJECTED) + lost.reduce((sum, { count }) => sum + count, 0),
    parked: of(["parked"]),
  };
  const records = tallyRecords(receipt, (part) => fates.get(part) !== "pending", known);
  const rejections = cursor === undefined ? [...lost.map(rejectionOf), ...page.rejections] : page.rejections;
  return { state: stateOf(records), records, skips, warnings: counts.warnings, ...page, rejections };
}

function fateOfPart(offsets: readonly OpenOffset[], part: ReceiptPart, receipt: Receipt): PartFate {
  if (isWriteOfV2(part.lane)) return "passed";
  const topic = topicOfLane(part.lane);
  const row = offsets.find((entry) => entry.topic === topic && entry.partition === part.partition);
  return fateOf(row, part, receipt);
}

/** The log had these records and lost them before they were applied: which of the request's items they are stood in them alone. */
function rejectionOf({ count, partition, lane }: ReceiptPart) {
  const message = `The log lost ${count} records of this request (${topicOfLane(lane)}/${partition}) before they were applied. Send them again.`;
  return { index: 0, path: "", code: "LOST_FROM_LOG", message };
}

async function readPage(account: number, requestId: string, cursor: string | undefined, { session, cursors }: Reading) {
  const scope = { account, list: `receipt ${requestId}`, direction: "asc" } as const;
  const [index, recordId] = cursor === undefined ? [-1, ""] : (cursors.open(cursor, scope, cursorKey) ?? refuse());
  const page = { account, requestId, statuses: SHOWN, after: { index, recordId }, rowsMax: REJECTIONS_MAX + 1 };
  const rows = await readRejections(session, page);
  const kept = rows.slice(0, REJECTIONS_MAX);
  const last = kept.at(-1);
  const rejections = kept.map((row) => ({
    index: row.index,
    path: placeInItem(row),
    code: row.code,
    message: row.message,
  }));
  if (rows.length <= REJECTIONS_MAX || last === undefined) return { rejections, next: null };
  return { rejections, next: cursors.seal(scope, [last.index, last.recordId]) };
}

function refuse(): never {
  throw invalidCursor();
}

/** An unknown, malformed or expired receipt, or one of another account. */
export function unknownReceipt() {
  return refusal("RECORD_NOT_FOUND", "The receipt does not exist or is older than 7 days.");
}

export function toAnswer(outcome: Awaited<ReturnType<typeof readOutcome>>): Answer {
  return { status: 200, body: outcome };
}
