import { type Account, frameVersionPrefix, type Version } from "@headwater/contracts";
import { classifyFailure } from "@headwater/kernel";
import { noReads, type StateReads } from "@headwater/records/fold/stateReads";
import type { IntakeRecord, LoggedOperation } from "../operations/operation.ts";

/** Header of a parked record that comes again: the number of the attempt, from 1. Only our own redriver sets it. */
export const ATTEMPT_HEADER = "attempt";

/** A record with its position in the log, its version and its account. */
export interface LoggedRecord {
  readonly account: Account;
  readonly operation: LoggedOperation;
  readonly record: IntakeRecord;
  /** State it will ask for. */
  readonly reads: StateReads;
  readonly version: Version;
  readonly offset: number;
  /** Index in its frame. */
  readonly place: number;
  /** Attempt that a parked record comes again for, from 1; undefined for one that was written before attempts had numbers. */
  readonly attempt?: number | undefined;
  /** Reason why nothing can be asked about it: a poison record, which is refused without being folded. */
  readonly poison?: unknown;
}

/** A message, or a member of one, that is not a record of ours: quarantined, so that an operator sees it. */
export interface Undecodable {
  readonly offset: number;
  /** Index of the member in the frame; undefined for a whole message. */
  readonly place?: number;
  /** The broker's append time: nothing else is known of when it came. */
  readonly timeMs: number;
  readonly reason: string;
  readonly payload: string;
}

interface FrameInput {
  readonly account: Account;
  readonly operation: LoggedOperation;
  /** Records by index in the frame; undefined for a member that is not a record. */
  readonly records: readonly (IntakeRecord | undefined)[];
  readonly offset: number;
  readonly lane: number;
  readonly partition: number;
  /** The greater of the broker's append time and all before it in the partition. */
  readonly timeMs: number;
  /** A redriven record keeps its original's whole version. */
  readonly redrivenVersion: Version | undefined;
  readonly attempt: number | undefined;
}

/** Gives every record of a frame its version. */
export function toLoggedRecords(frame: FrameInput): LoggedRecord[] {
  const { records, offset, lane: stream, partition, timeMs, redrivenVersion } = frame;
  const prefix = frameVersionPrefix(timeMs, { lane: stream, partition, offset });
  const logged: LoggedRecord[] = [];
  records.forEach((record, index) => {
    if (record === undefined) return;
    const version = redrivenVersion ?? prefix + index.toString(16).padStart(3, "0");
    logged.push(toLoggedRecord(frame, record, { version, place: index }));
  });
  return logged;
}

function toLoggedRecord(
  { account, operation, offset, attempt }: FrameInput,
  record: IntakeRecord,
  { version, place: position }: Pick<LoggedRecord, "version" | "place">,
): LoggedRecord {
  try {
    const reads = operation.reads(record, { account });
    return { account, operation, record, version, offset, place: position, attempt, reads };
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    return { account, operation, record, version, offset, place: position, attempt, reads: noReads, poison: error };
  }
}

/** A parked record that comes again under its own id. */
export function isTriedAgain({ id, redriveOf }: IntakeRecord): boolean {
  return redriveOf === id;
}

/** Returns whether a person's redrive wrote it: a record of its own, for another that was refused. */
export function isRedrive({ id, redriveOf }: IntakeRecord): boolean {
  return redriveOf !== undefined && redriveOf !== id;
}

/**
 * Returns whether a record that was dealt with before is a copy, which is counted nowhere: it stands in the log twice. What a partner
 * sends again is a record of a request of its own instead, whose receipt and accounting say that it was a repeat.
 */
export function isCopy({ once, redriveOf }: IntakeRecord): boolean {
  return once === undefined || redriveOf !== undefined;
}

/** Postgres keeps it as an int. */
const ITEM_MAX = 2 ** 31 - 1;

/** `<request id>:<item>:<element>` taken apart. */
export function requestOf(recordId: string): { readonly requestId: string; readonly item: number } {
  const colon = recordId.indexOf(":");
  if (colon < 0) return { requestId: recordId, item: 0 };
  const item = Number.parseInt(recordId.slice(colon + 1), 10);
  return { requestId: recordId.slice(0, colon), item: item >= 0 && item <= ITEM_MAX ? item : 0 };
}
