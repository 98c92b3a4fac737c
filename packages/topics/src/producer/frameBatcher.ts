import { createFairQueue, type FairQueue, SYSTEM_FLOW } from "@headwater/kernel";
import type { PendingAppend } from "./pendingAppend.ts";
import type { FrameAppend, FrameContent, FrameEntry, PendingMessage, RawMessage } from "./pendingMessage.ts";

interface OpenFrame extends PendingMessage {
  readonly content: FrameContent;
}

export interface BatcherLimits {
  readonly frameRecordsMax: number;
  readonly frameBytesMax: number;
  /** Bytes of one send over all partitions. A single message may be greater. */
  readonly sendBytesMax: number;
  /** Bytes of one send in one partition, which Kafka's `max.message.bytes` bounds. */
  readonly partitionBytesMax: number;
}

/** Messages that one send takes. */
export interface FrameBatch {
  readonly messages: readonly PendingMessage[];
  readonly bytes: number;
  readonly records: number;
}

export interface FrameBatcher {
  /** Puts a request's records into open frames; several requests of one account and subject share them. */
  append(append: FrameAppend, pendingAppend: PendingAppend, nowMs: number): void;
  publish(message: RawMessage, pendingAppend: PendingAppend, nowMs: number): void;
  /**
   * Takes messages of one send, each account its share, in the order of every account and partition. Empty when nothing waits.
   * @param bytesMax bytes of this send; default and maximum `sendBytesMax`.
   */
  take(bytesMax?: number): FrameBatch;
  /**
   * Encodes frames that the last `take` left waiting, the oldest first. Where many records wait long, each garbage collection would copy their texts; the
   * bytes of a frame lie outside of the heap. Each frame is encoded once, now or with its send.
   * @param bytesMax bytes after which the others wait for the next call, because encoding blocks the event loop.
   */
  encodeWaiting(encode: (content: FrameContent) => Buffer, bytesMax: number): void;
  /** Removes what was added before `beforeMs`, or everything without it. */
  discard(beforeMs?: number): readonly PendingMessage[];
  /** Bytes that wait, and since when the oldest of them does. */
  waiting(): { readonly bytes: number; readonly oldestMs: number | undefined };
  /** Bytes of one account that wait, and how many accounts have any. */
  share(account: string): { readonly bytes: number; readonly accounts: number };
}

const SEPARATOR_BYTES = 1;
/** The frame's own members, the five bytes of the registry, and Kafka's record around it. */
const FRAME_OVERHEAD_BYTES = 96;
/** kafkajs groups the messages of a partition in time that grows with their square. */
const PARTITION_MESSAGES_MAX = 400;

/** Bytes an account may spend before the next one's turn: well below a send, so that each send serves many accounts. */
const QUANTUM_BYTES = 256 * 1024;

/** Messages of one account that wait. */
interface Share {
  readonly account: string;
  bytes: number;
  /** Partitions it has messages for. */
  partitions: number;
}

interface Queued {
  readonly share: Share;
  readonly message: PendingMessage;
}

/**
 * Batches records into frames and frames into sends. Pure: no timer, no Kafka.
 *
 * Accounts share sends by deficit round robin over bytes. Each partition of an account is a flow of its own, so a full partition
 * holds up nothing but itself; an account's flows divide its weight, so many partitions are no larger share.
 */
export function createFrameBatcher(limits: BatcherLimits): FrameBatcher {
  return new FairFrameBatcher(limits);
}

class FairFrameBatcher implements FrameBatcher {
  readonly #limits: BatcherLimits;
  readonly #shares = new Map<string, Share>();
  readonly #queue: FairQueue<Queued>;
  #queuedBytes = 0;
  #oldestMs: number | undefined;
  readonly #openFrames = new Map<string, (OpenFrame | undefined)[]>();
  /** Frames that wait as texts, in the order they came: those that may still grow, and those that a send left waiting. */
  readonly #fresh = new Set<OpenFrame>();
  readonly #left = new Set<OpenFrame>();

  constructor(limits: BatcherLimits) {
    this.#limits = limits;
    this.#queue = createFairQueue<Queued>({
      quantum: QUANTUM_BYTES,
      costOf: ({ message }) => message.bytes,
      weightOf: (flow) => 1 / (this.#shares.get(accountOfFlow(flow))?.partitions ?? 1),
    });
  }

  append(append: FrameAppend, pendingAppend: PendingAppend, nowMs: number): void {
    const frames = append.isApart === true ? [] : this.#framesOf(append);
    const share = this.#shareOf(append.account);
    for (const entry of append.entries) {
      const entryBytes = Buffer.byteLength(entry.text) + SEPARATOR_BYTES;
      let frame = frames[entry.partition];
      if (frame === undefined || isFull(frame, entryBytes, this.#limits) || hasNoCapacity(frame, entry, this.#limits)) {
        frame = newFrame(append, entry, nowMs);
        this.#enqueue(share, frame);
        this.#fresh.add(frame);
        frames[entry.partition] = frame;
      }
      addEntry(frame, entry, pendingAppend);
      frame.content.traceparent ??= append.traceparent;
      frame.bytes += entryBytes;
      this.#grow(share, entryBytes);
    }
  }

  publish(message: RawMessage, pendingAppend: PendingAppend, nowMs: number): void {
    const bytes = message.value.length + FRAME_OVERHEAD_BYTES;
    const { topic, partition } = message;
    const parts = [{ append: pendingAppend, firstPlace: 0, count: 1 }];
    pendingAppend.messages += 1;
    const content = { kind: "raw" as const, message };
    this.#enqueue(this.#shareOf(SYSTEM_FLOW), { topic, partition, batchedAtMs: nowMs, content, parts, bytes });
  }

  take(bytesMax = this.#limits.sendBytesMax): FrameBatch {
    const sendBytesMax = Math.min(bytesMax, this.#limits.sendBytesMax);
    const taken = choose(this.#queue, { ...this.#limits, sendBytesMax }, (queued) => this.#forget(queued));
    this.#lookForOldest();
    for (const frame of this.#fresh) this.#left.add(frame);
    this.#fresh.clear();
    return toBatch(taken);
  }

  encodeWaiting(encode: (content: FrameContent) => Buffer, bytesMax: number): void {
    let bytes = 0;
    for (const frame of this.#left) {
      if (bytes >= bytesMax) return;
      bytes += frame.bytes;
      this.#left.delete(frame);
      frame.content.value = encode(frame.content);
      frame.content.texts = [];
    }
  }

  discard(beforeMs: number = Number.POSITIVE_INFINITY): PendingMessage[] {
    if (this.#oldestMs === undefined || this.#oldestMs >= beforeMs) return [];
    const late = [...this.#queue.entries()].filter(([, { message }]) => message.batchedAtMs < beforeMs);
    for (const [flow, queued] of late) if (this.#queue.remove(flow, queued)) this.#forget(queued);
    this.#lookForOldest();
    return late.map(([, { message }]) => message);
  }

  waiting(): ReturnType<FrameBatcher["waiting"]> {
    return { bytes: this.#queuedBytes, oldestMs: this.#oldestMs };
  }

  share(account: string): ReturnType<FrameBatcher["share"]> {
    return { bytes: this.#shares.get(account)?.bytes ?? 0, accounts: this.#shares.size };
  }

  #framesOf(append: FrameAppend): (OpenFrame | undefined)[] {
    const stream = `${append.topic}\n${append.subject}\n${append.account}`;
    const known = this.#openFrames.get(stream);
    if (known !== undefined) return known;
    const fresh: (OpenFrame | undefined)[] = [];
    this.#openFrames.set(stream, fresh);
    return fresh;
  }

  #shareOf(account: string): Share {
    const known = this.#shares.get(account);
    if (known !== undefined) return known;
    const fresh = { account, bytes: 0, partitions: 0 };
    this.#shares.set(account, fresh);
    return fresh;
  }

  #enqueue(share: Share, message: PendingMessage): void {
    const flow = flowOf(share, message);
    if (this.#queue.size(flow) === 0) share.partitions += 1;
    this.#queue.add(flow, { share, message });
    this.#grow(share, message.bytes);
    this.#oldestMs ??= message.batchedAtMs;
  }

  #grow(share: Share, bytes: number): void {
    share.bytes += bytes;
    this.#queuedBytes += bytes;
  }

  /** Forgets a message that is out of the queue. */
  #forget({ share, message }: Queued): void {
    this.#grow(share, -message.bytes);
    if (isFrame(message) && !this.#left.delete(message)) this.#fresh.delete(message);
    if (this.#queue.size(flowOf(share, message)) === 0) share.partitions -= 1;
    if (share.partitions === 0) this.#shares.delete(share.account);
  }

  #lookForOldest(): void {
    this.#openFrames.clear();
    this.#oldestMs = undefined;
    for (const { message } of this.#queue.heads())
      this.#oldestMs = Math.min(this.#oldestMs ?? message.batchedAtMs, message.batchedAtMs);
  }
}

function isFrame(message: PendingMessage): message is OpenFrame {
  return message.content.kind === "frame";
}

/** Accounts' ids hold no line break. */
function flowOf({ account }: Share, { topic, partition }: PendingMessage): string {
  return `${account}\n${topic}\n${partition}`;
}

function accountOfFlow(flow: string | number): string {
  const text = String(flow);
  return text.slice(0, text.indexOf("\n"));
}

function newFrame({ topic, subject, account }: FrameAppend, { partition, key }: FrameEntry, nowMs: number): OpenFrame {
  const content = { kind: "frame" as const, subject, account, texts: [], key, traceparent: undefined };
  return { topic, partition, batchedAtMs: nowMs, content, parts: [], bytes: FRAME_OVERHEAD_BYTES };
}

function isFull(frame: OpenFrame, entryBytes: number, limits: BatcherLimits): boolean {
  const { length } = frame.content.texts;
  return length >= limits.frameRecordsMax || (length > 0 && frame.bytes + entryBytes > limits.frameBytesMax);
}

/** Returns whether the records of an item that begins here would be parted by the end of the frame. */
function hasNoCapacity(frame: OpenFrame, { item }: FrameEntry, limits: BatcherLimits): boolean {
  if (item === undefined) return false;
  const { length } = frame.content.texts;
  const bytes = frame.bytes + item.bytes + item.records * SEPARATOR_BYTES;
  return length > 0 && (length + item.records > limits.frameRecordsMax || bytes > limits.frameBytesMax);
}

function addEntry(frame: OpenFrame, entry: FrameEntry, pendingAppend: PendingAppend): void {
  const { content, parts } = frame;
  const last = parts[parts.length - 1];
  if (last?.append === pendingAppend) {
    last.count += 1;
  } else {
    parts.push({ append: pendingAppend, firstPlace: content.texts.length, count: 1 });
    pendingAppend.messages += 1;
  }
  if (content.key !== entry.key) content.key = content.account;
  content.texts.push(entry.text);
}

/** A flow whose message does not fit leaves all later ones behind too: the order of its partition holds. */
function choose(queue: FairQueue<Queued>, limits: BatcherLimits, onTaken: (queued: Queued) => void): PendingMessage[] {
  const loads = new Map<string, { bytes: number; messages: number }>();
  const closed = new Set<string | number>();
  const taken: PendingMessage[] = [];
  let bytes = 0;
  const loadOf = ({ topic, partition }: PendingMessage) => {
    const id = `${topic}\n${partition}`;
    const load = loads.get(id) ?? { bytes: 0, messages: 0 };
    loads.set(id, load);
    return load;
  };
  const fits = (flow: string | number, { message }: Queued): boolean => {
    if (closed.has(flow)) return false;
    const load = loadOf(message);
    const isTooMuch =
      (taken.length > 0 && bytes + message.bytes > limits.sendBytesMax) ||
      (load.messages > 0 && load.bytes + message.bytes > limits.partitionBytesMax) ||
      load.messages >= PARTITION_MESSAGES_MAX;
    if (isTooMuch) closed.add(flow);
    return !isTooMuch;
  };
  for (let next = queue.next(fits); next !== undefined; next = queue.next(fits)) {
    const load = loadOf(next.message);
    load.bytes += next.message.bytes;
    load.messages += 1;
    bytes += next.message.bytes;
    taken.push(next.message);
    onTaken(next);
  }
  return taken;
}

function toBatch(messages: readonly PendingMessage[]): FrameBatch {
  let bytes = 0;
  let records = 0;
  for (const { bytes: ofMessage, parts } of messages) {
    bytes += ofMessage;
    for (const { count } of parts) records += count;
  }
  return { messages, bytes, records };
}
