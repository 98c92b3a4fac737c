import { type Account, isVersion, lanes } from "@headwater/contracts";
import { type IntakeRecord, type LoggedOperation, loggedOperations, subjectOf } from "@headwater/operations";
import type { Codec, LogFrame } from "@headwater/topics";
import { type PlacedRecord, placeRecords, type Undecodable } from "./placedRecord.ts";

/** Accounts by their 24 hex characters; undefined for one that does not exist. */
export interface AccountSource {
  byId(id: string): Promise<Account | undefined>;
}

export interface ReadFrame {
  readonly offset: number;
  /** The greater of the frame's append time and all before it in the partition. */
  readonly timeMs: number;
  readonly records: readonly PlacedRecord[];
  readonly undecodable: Undecodable | undefined;
}

/** By subject. */
export const operationOf: ReadonlyMap<string, LoggedOperation> = new Map(
  loggedOperations.map((operation) => [subjectOf(operation), operation]),
);

export interface Reading {
  readonly codec: Pick<Codec, "decode">;
  readonly accounts: AccountSource;
  readonly topic: string;
  readonly partition: number;
  /** Greatest append time before these frames. */
  readonly greatestTime: number;
  /** First offset that is not applied yet. */
  readonly nextOffset: number;
  /** Records of frames not applied yet at which reading ends; one frame of them is read whatever it holds. */
  readonly recordsMax: number;
}

/**
 * Decodes frames and gives their records versions. What nobody can read is passed on as undecodable. Reads no more than is
 * applied at a time: what is left is read when its turn comes.
 */
export async function readFrames(reading: Reading, frames: readonly LogFrame[]): Promise<ReadFrame[]> {
  const result: ReadFrame[] = [];
  let timeMs = reading.greatestTime;
  let records = 0;
  for (const frame of frames) {
    timeMs = Math.max(timeMs, frame.timeMs);
    const read = await readFrame(reading, frame, timeMs);
    if (frame.offset >= reading.nextOffset) {
      if (records > 0 && records + read.records.length > reading.recordsMax) break;
      records += read.records.length;
    }
    result.push(read);
  }
  return result;
}

async function readFrame(reading: Reading, frame: LogFrame, timeMs: number): Promise<ReadFrame> {
  const { offset } = frame;
  const unreadable = (reason: string): ReadFrame => {
    const payload = frame.value.toString("base64");
    return { offset, timeMs, records: [], undecodable: { offset, timeMs: frame.timeMs, reason, payload } };
  };
  const decoded = await reading.codec.decode(frame.value);
  if (decoded.kind === "undecodable") return unreadable(decoded.reason);
  const operation = operationOf.get(decoded.subject);
  if (operation === undefined) return unreadable(`no operation writes ${decoded.subject}`);
  if (!isFrame(decoded.value)) return unreadable("not a frame");
  const account = await reading.accounts.byId(decoded.value.account);
  if (account === undefined) return unreadable("its account does not exist");
  const { records } = decoded.value;
  const placed = placeRecords({
    account,
    operation,
    records,
    offset,
    lane: laneOf(reading.topic),
    partition: reading.partition,
    timeMs,
    redrivenVersion: redrivenVersion(frame),
  });
  return { offset, timeMs, records: placed, undecodable: undefined };
}

export function laneOf(topic: string): number {
  return topic === "intake.bulk" ? lanes["intake.bulk"] : lanes["intake.records"];
}

/** Only a redrive sets the header. */
function redrivenVersion({ headers }: LogFrame): string | undefined {
  const { version } = headers;
  return version !== undefined && isVersion(version) ? version : undefined;
}

/** What the door checked and the registry's schema names; records are not checked again. */
function isFrame(value: unknown): value is { readonly account: string; readonly records: readonly IntakeRecord[] } {
  if (typeof value !== "object" || value === null) return false;
  return "account" in value && typeof value.account === "string" && "records" in value && Array.isArray(value.records);
}
