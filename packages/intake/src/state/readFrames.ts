import { type Account, isVersion, streamOfTopic } from "@headwater/contracts";
import { classifyFailure } from "@headwater/kernel";
import type { Codec, LogFrame } from "@headwater/topics";
import { readIntakeFrame } from "../streams/readIntakeFrame.ts";
import { ATTEMPT_HEADER, type LoggedRecord, toLoggedRecords, type Undecodable } from "./loggedRecord.ts";

/** Accounts by their 24 hex characters; undefined for one that does not exist. */
export interface AccountSource {
  byId(id: string): Promise<Account | undefined>;
}

export interface ReadFrame {
  readonly offset: number;
  /** The greater of the frame's append time and all before it in the partition. */
  readonly timeMs: number;
  readonly records: readonly LoggedRecord[];
  readonly undecodable: readonly Undecodable[];
}

/** A whole message is in Kafka; the dead letter shows how it begins. */
const UNDECODABLE_BYTES_MAX = 48 * 1024;

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
 * applied at a time: what is left is read when its turn comes. Reading ends before a redriven record that stands for one of these:
 * what it meets is known when they are stored, so its outcome does not depend on where batches end.
 */
export async function readFrames(reading: Reading, frames: readonly LogFrame[]): Promise<ReadFrame[]> {
  const result: ReadFrame[] = [];
  let timeMs = reading.greatestTime;
  let records = 0;
  const names = new RecordNames();
  for (const frame of frames) {
    timeMs = Math.max(timeMs, frame.timeMs);
    const read = await readFrame(reading, frame, timeMs);
    if (frame.offset >= reading.nextOffset) {
      if (records > 0 && (records + read.records.length > reading.recordsMax || names.haveOneOf(read.records))) break;
      records += read.records.length;
      names.add(read.records);
    }
    result.push(read);
  }
  return result;
}

async function readFrame(reading: Reading, frame: LogFrame, timeMs: number): Promise<ReadFrame> {
  try {
    return await readKnown(reading, frame, timeMs);
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    return unreadable(frame, timeMs, error instanceof Error ? error.message : "the message cannot be decoded");
  }
}

async function readKnown(reading: Reading, frame: LogFrame, timeMs: number): Promise<ReadFrame> {
  const { offset } = frame;
  const read = await readIntakeFrame(reading.codec, frame.value);
  if (read.kind === "unreadable") return unreadable(frame, timeMs, read.reason);
  const { operation, records } = read;
  const account = await reading.accounts.byId(read.account);
  if (account === undefined) return unreadable(frame, timeMs, "its account does not exist");
  const logged = toLoggedRecords({
    account,
    operation,
    records,
    offset,
    lane: streamOfTopic(reading.topic),
    partition: reading.partition,
    timeMs,
    redrivenVersion: redrivenVersion(frame),
    attempt: attemptOf(frame),
  });
  const undecodable = logged.length === records.length ? [] : membersThatAreNoRecords(frame, records);
  return { offset, timeMs, records: logged, undecodable };
}

function unreadable(frame: LogFrame, timeMs: number, reason: string): ReadFrame {
  return { offset: frame.offset, timeMs, records: [], undecodable: [toUndecodable(frame, reason)] };
}

function toUndecodable({ offset, timeMs, value }: LogFrame, reason: string): Undecodable {
  return { offset, timeMs, reason, payload: value.toString("base64", 0, UNDECODABLE_BYTES_MAX) };
}

function membersThatAreNoRecords(frame: LogFrame, records: readonly unknown[]): Undecodable[] {
  return records.flatMap((record, index) =>
    record === undefined ? [{ ...toUndecodable(frame, `member ${index} is not a record`), place: index }] : [],
  );
}

/** Returns the version that a redrive has set in the header. */
function redrivenVersion({ headers }: LogFrame): string | undefined {
  const { version } = headers;
  return version !== undefined && isVersion(version) ? version : undefined;
}

const ATTEMPT = /^[1-9]\d{0,5}$/;

function attemptOf({ headers }: LogFrame): number | undefined {
  const attempt = headers[ATTEMPT_HEADER];
  return attempt !== undefined && ATTEMPT.test(attempt) ? Number(attempt) : undefined;
}

/** Ids of the records of a batch. They are looked up only where a redriven record asks, which few batches have. */
class RecordNames {
  readonly #added: (readonly LoggedRecord[])[] = [];
  #names: Set<string> | undefined;

  add(records: readonly LoggedRecord[]): void {
    this.#added.push(records);
    for (const logged of this.#names === undefined ? [] : records) this.#addNames(logged);
  }

  /** Returns whether one of these redriven records stands for a record that was added. */
  haveOneOf(records: readonly LoggedRecord[]): boolean {
    return records.some(({ account, record: { redriveOf } }) => {
      return redriveOf !== undefined && this.#all().has(nameOf(account.number, redriveOf));
    });
  }

  #all(): ReadonlySet<string> {
    if (this.#names === undefined) {
      this.#names = new Set();
      for (const logged of this.#added.flat()) this.#addNames(logged);
    }
    return this.#names;
  }

  #addNames({ account, record: { id, redriveOf } }: LoggedRecord): void {
    this.#names?.add(nameOf(account.number, id));
    if (redriveOf !== undefined) this.#names?.add(nameOf(account.number, redriveOf));
  }
}

function nameOf(account: number, id: string): string {
  return `${account}\n${id}`;
}
