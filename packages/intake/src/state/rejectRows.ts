import type { RejectRow } from "@headwater/contracts";
import { storableText } from "@headwater/kernel";
import type { Outcome } from "@headwater/records/fold/outcome";
import { deadLetterPayload } from "../quarantine/deadLetterPayload.ts";
import { isRedrive, type LoggedRecord, requestOf, type Undecodable } from "./loggedRecord.ts";

/** Times that a record whose contact is unknown usually waits before it is tried again, in milliseconds, by attempt. */
export const PARKED_FOR_MS = [5_000, 60_000] as const;

export interface LogPosition {
  readonly topic: string;
  readonly partition: number;
}

/** Account of messages whose account cannot be known. */
export const NO_ACCOUNT = 0;

/** Makes the row of a record that is refused, or waits because its contact may be on its way on another partition. */
export function toRejectRow(
  { record, operation, account, version, offset, place: position }: LoggedRecord,
  outcome: Extract<Outcome, { kind: "rejected" }>,
  at: LogPosition & { readonly nowMs: number; readonly attempts: number; readonly parkedForMs: readonly number[] },
): RejectRow {
  const { requestId, item } = requestOf(record.id);
  // An import says of each row what became of it: nothing of it waits.
  const mayWait = outcome.code === "CONTACTS_CONTACT_NOT_FOUND" && record.row === undefined;
  const wait = mayWait ? at.parkedForMs[at.attempts] : undefined;
  return {
    account: account.number,
    recordId: record.id,
    requestId,
    operation: operation.name,
    topic: at.topic,
    partition: at.partition,
    logOffset: offset,
    place: position,
    itemIndex: item,
    status: wait === undefined ? "open" : "parked",
    code: outcome.code,
    path: storableText(outcome.path),
    message: storableText(outcome.message),
    payload: deadLetterPayload(record),
    version,
    receivedAt: record.receivedAt,
    rejectedAt: at.nowMs,
    attempts: at.attempts,
    dueAt: wait === undefined ? null : at.nowMs + wait,
    ...(isRedrive(record) ? { redriveOf: record.redriveOf } : {}),
  };
}

/** A message nobody can read goes to the bucket that operators see. */
export function toUndecodableRow(message: Undecodable, at: LogPosition & { readonly nowMs: number }): RejectRow {
  return {
    account: NO_ACCOUNT,
    recordId: `${at.topic}:${at.partition}:${message.offset}${message.place === undefined ? "" : `:${message.place}`}`,
    requestId: "",
    operation: "",
    topic: at.topic,
    partition: at.partition,
    logOffset: message.offset,
    place: message.place ?? 0,
    itemIndex: 0,
    status: "open",
    code: "VALIDATION_ERROR",
    path: "",
    message: storableText(message.reason),
    payload: JSON.stringify(message.payload),
    version: "0".repeat(32),
    receivedAt: message.timeMs,
    rejectedAt: at.nowMs,
    attempts: 0,
    dueAt: null,
  };
}
