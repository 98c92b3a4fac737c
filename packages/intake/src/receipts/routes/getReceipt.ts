import { readReceipt, waitForAfter } from "@headwater/api/consistency/after";
import { consistencyOf } from "@headwater/api/consistency/consistencyOf";
import { fateOf, type PartFate } from "@headwater/api/consistency/hasPassed";
import { isWriteOfV2 } from "@headwater/api/consistency/streams";
import type { Cursors } from "@headwater/api/paging/cursors";
import { invalidCursor } from "@headwater/api/paging/page";
import { afterQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import type { RejectStatus } from "@headwater/contracts";
import { type Receipt, type ReceiptPart, STATE_GROUP, topicOfStream } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { type OpenOffset, readOffsets } from "@headwater/postgres/streams/streamOffsets";
import { z } from "zod";
import { loggedOperations } from "../../operations/registry.ts";
import type { RoutePorts } from "../../ports.ts";
import { countRejections, readReceiptCounts, readRejections } from "../receipts.ts";

const elementsOf = new Map(loggedOperations.map(({ name, elements }) => [name, elements]));

const WAIT_SECONDS_MAX = 30;

const params = z.strictObject({ receipt: z.string() });
const query = z.strictObject({
  ...afterQuery,
  wait: z.coerce.number().min(0).max(WAIT_SECONDS_MAX).optional(),
  cursor: z.string().max(4_096).optional(),
});

const count = z.number().int();
const counts = z.record(z.string(), count);
const rejection = z.strictObject({ index: count, path: z.string(), code: z.string(), message: z.string() });

const receiptAnswer = z.strictObject({
  state: z.enum(["pending", "applied", "partly_rejected", "rejected"]),
  records: z.strictObject({ applied: count, skipped: count, rejected: count, parked: count, pending: count }),
  skips: counts,
  warnings: counts,
  rejections: z.array(rejection),
  next: z.string().nullable(),
});

const receiptExample = {
  state: "partly_rejected",
  records: { applied: 98, skipped: 1, rejected: 1, parked: 0, pending: 0 },
  skips: { UNCHANGED: 1 },
  warnings: {},
  rejections: [
    { index: 7, path: "/contact", code: "CONTACTS_CONTACT_NOT_FOUND", message: "No contact has this identifier." },
  ],
  next: null,
};

/** Outcomes that left a row or a count. */
interface Known {
  readonly skipped: number;
  readonly rejected: number;
  readonly parked: number;
}

interface RecordTally extends Known {
  readonly applied: number;
  readonly pending: number;
}

/**
 * Counts records by outcome: applied ones leave no row, so they are what is left. A part that its partition has not
 * passed is pending, but for the records of it that are known already.
 */
export function tallyRecords(receipt: Receipt, isPassed: (part: ReceiptPart) => boolean, known: Known): RecordTally {
  const sum = (parts: readonly ReceiptPart[]) => parts.reduce((total, { count }) => total + count, 0);
  const total = sum(receipt.parts);
  const unsettled = sum(receipt.parts.filter((part) => !isPassed(part)));
  const outcomes = known.skipped + known.rejected + known.parked;
  const applied = Math.max(0, total - unsettled - outcomes);
  return { applied, ...known, pending: Math.max(0, total - applied - outcomes) };
}

type ReceiptState = "pending" | "applied" | "partly_rejected" | "rejected";

/** `pending` while any record is pending or parked; then by the counts. */
export function stateOf({ applied, skipped, rejected, parked, pending }: RecordTally): ReceiptState {
  if (pending + parked > 0) return "pending";
  if (rejected === 0) return "applied";
  return applied + skipped === 0 ? "rejected" : "partly_rejected";
}

const REJECTIONS_MAX = 1_000;
const REJECTED: readonly RejectStatus[] = ["open", "redriven", "discarded"];
const VIEW: readonly RejectStatus[] = [...REJECTED, "parked"];
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
  const topic = topicOfStream(part.lane);
  const row = offsets.find((entry) => entry.topic === topic && entry.partition === part.partition);
  return fateOf(row, part, receipt);
}

/** The log had these records and lost them before they were applied: which of the request's items they are stood in them alone. */
function rejectionOf({ count, partition, lane: stream }: ReceiptPart) {
  const message = `The log lost ${count} records of this request (${topicOfStream(stream)}/${partition}) before they were applied. Send them again.`;
  return { index: 0, path: "", code: "LOST_FROM_LOG", message };
}

async function readPage(account: number, requestId: string, cursor: string | undefined, { session, cursors }: Reading) {
  const scope = { account, list: `receipt ${requestId}`, direction: "asc" } as const;
  const [index, recordId] = cursor === undefined ? [-1, ""] : (cursors.open(cursor, scope, cursorKey) ?? refuse());
  const page = { account, requestId, statuses: VIEW, after: { index, recordId }, rowsMax: REJECTIONS_MAX + 1 };
  const rows = await readRejections(session, page);
  const stored = rows.slice(0, REJECTIONS_MAX);
  const last = stored.at(-1);
  const rejections = stored.map((row) => ({
    index: row.index,
    path: pathInItem(row),
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
function unknownReceipt() {
  return refusal("RECORD_NOT_FOUND", "The receipt does not exist or is older than 7 days.");
}

function toAnswer(outcome: Awaited<ReturnType<typeof readOutcome>>): Answer {
  return { status: 200, body: outcome };
}

/** Keys need no scope: whoever sent the work may follow it, and a receipt cannot be guessed. */
export function getReceipt(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  const { postgres, streamLooks: streamChecks, waits, cursors } = ports;
  return defineRoute({
    method: "GET",
    path: "/v2/receipts/{receipt}",
    operationId: "getReceipt",
    summary: "Returns the outcomes of accepted records, waiting up to `wait` seconds for the last one.",
    tags: ["receipts"],
    answers: { 200: { description: "The outcomes so far.", schema: receiptAnswer, example: receiptExample } },
    auth: "basic",
    personScope: "receipts:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { receipt: token }, query: { after, wait = 0, cursor }, caller, signal }) => {
      const receipt = readReceipt(token, caller, ports);
      if (receipt === undefined) throw unknownReceipt();
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      const { number } = caller.account;
      const read = () =>
        withSnapshot(postgres, (session) => readOutcome(receipt, number, cursor, { session, cursors }));
      let outcome = await read();
      if (outcome.state !== "pending" || wait === 0) return toAnswer(outcome);
      const isPassed = consistencyOf(ports, receipt, "state");
      // Checks that all waits share say when it is worth a check of one's own.
      const isConsistent = async () => {
        if (!(await isPassed()) || (await streamChecks.isParked(number, receipt.requestId))) return false;
        outcome = await read();
        return outcome.state !== "pending";
      };
      const isFinal = await waits.until(isConsistent, { flow: number, timeoutMs: wait * 1_000, signal });
      // Most of the records may have their end: one that is parked alone keeps the receipt pending.
      if (!isFinal && !signal.aborted) outcome = await read();
      return toAnswer(outcome);
    },
  });
}

/** A path in the body of a record alone. */
interface PositionOfRecord {
  /** `request id : index : element`. */
  readonly recordId: string;
  readonly operation: string;
  readonly path: string;
}

/** Returns the position in the item as it was sent: of an item that becomes many records, the record is one element. */
export function pathInItem({ recordId, operation, path }: PositionOfRecord): string {
  const elements = elementsOf.get(operation);
  if (elements === undefined) return path;
  const alone = `${elements}/0`;
  if (path !== alone && !path.startsWith(`${alone}/`)) return path;
  const [, , element = "0"] = recordId.split(":");
  return `${elements}/${element}${path.slice(alone.length)}`;
}
