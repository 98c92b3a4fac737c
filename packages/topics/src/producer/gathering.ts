import type { Ticket } from "./ticket.ts";

/** One record on its way: its partition, the key of its contact, its serialised text. */
export interface FrameEntry {
  readonly partition: number;
  readonly key: string;
  readonly text: string;
}

/** The records of one request, in order. */
export interface FrameAppend {
  readonly topic: string;
  readonly subject: string;
  readonly account: string;
  readonly entries: readonly FrameEntry[];
  /** Of a sampled request: its frames carry it as a header. */
  readonly traceparent?: string | undefined;
}

/** A value that is ready to be written as it is: change records, dead letters, redriven frames. */
export interface RawMessage {
  readonly topic: string;
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer;
  /** Only redrives and sampled requests carry headers: five of them halve what the producer can do. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Which records of a message belong to which request. */
interface Part {
  readonly ticket: Ticket;
  readonly firstPlace: number;
  count: number;
}

/** One message of the log before it is written. */
export interface PendingMessage {
  readonly topic: string;
  readonly partition: number;
  readonly gatheredAtMs: number;
  readonly content: FrameContent | { readonly kind: "raw"; readonly message: RawMessage };
  readonly parts: Part[];
  bytes: number;
}

export interface FrameContent {
  readonly kind: "frame";
  readonly subject: string;
  readonly account: string;
  readonly texts: string[];
  /** The contact's key while all records share it, else the account. */
  key: string;
  /** Of the first sampled request in it. */
  traceparent: string | undefined;
}

interface OpenFrame extends PendingMessage {
  readonly content: FrameContent;
}

export interface GatheringLimits {
  readonly frameRecordsMax: number;
  readonly frameBytesMax: number;
  /** Bytes of one send over all partitions. A single message may be greater. */
  readonly sendBytesMax: number;
  /** Bytes of one send in one partition, which Kafka's `max.message.bytes` bounds. */
  readonly partitionBytesMax: number;
}

/** What one send takes. */
export interface Gathered {
  readonly messages: readonly PendingMessage[];
  readonly bytes: number;
  readonly records: number;
}

export interface Gatherer {
  /** Puts a request's records into open frames; several requests of one account and subject share them. */
  append(append: FrameAppend, ticket: Ticket, nowMs: number): void;
  publish(message: RawMessage, ticket: Ticket, nowMs: number): void;
  /** The oldest messages one send can hold, in the order of every partition. Empty when nothing waits. */
  take(): Gathered;
  /** Takes out what was gathered before `beforeMs`, or everything without it. */
  discard(beforeMs?: number): readonly PendingMessage[];
  /** Bytes that wait, and since when the oldest of them does. */
  waiting(): { readonly bytes: number; readonly oldestMs: number | undefined };
}

/** The frame's own members, the five bytes of the registry, and Kafka's record around it. */
const FRAME_OVERHEAD_BYTES = 96;
/** kafkajs groups the messages of a partition in time that grows with their square. */
const PARTITION_MESSAGES_MAX = 400;

/** Gathers records into frames and frames into sends. Pure: no timer, no Kafka. */
export function createGatherer(limits: GatheringLimits): Gatherer {
  let queue: PendingMessage[] = [];
  let queuedBytes = 0;
  const openFrames = new Map<string, (OpenFrame | undefined)[]>();

  function framesOf(append: FrameAppend): (OpenFrame | undefined)[] {
    const lane = `${append.topic}\n${append.subject}\n${append.account}`;
    const known = openFrames.get(lane);
    if (known !== undefined) return known;
    const fresh: (OpenFrame | undefined)[] = [];
    openFrames.set(lane, fresh);
    return fresh;
  }

  function openFrame(append: FrameAppend, entry: FrameEntry, nowMs: number): OpenFrame {
    const frame: OpenFrame = {
      topic: append.topic,
      partition: entry.partition,
      gatheredAtMs: nowMs,
      content: {
        kind: "frame",
        subject: append.subject,
        account: append.account,
        texts: [],
        key: entry.key,
        traceparent: undefined,
      },
      parts: [],
      bytes: FRAME_OVERHEAD_BYTES,
    };
    queue.push(frame);
    queuedBytes += FRAME_OVERHEAD_BYTES;
    return frame;
  }

  function isFull(frame: OpenFrame, entryBytes: number): boolean {
    const { length } = frame.content.texts;
    return length >= limits.frameRecordsMax || (length > 0 && frame.bytes + entryBytes > limits.frameBytesMax);
  }

  return {
    append(append, ticket, nowMs) {
      const frames = framesOf(append);
      for (const entry of append.entries) {
        const entryBytes = Buffer.byteLength(entry.text) + 1;
        let frame = frames[entry.partition];
        if (frame === undefined || isFull(frame, entryBytes)) {
          frame = openFrame(append, entry, nowMs);
          frames[entry.partition] = frame;
        }
        addEntry(frame, entry, ticket);
        frame.content.traceparent ??= append.traceparent;
        frame.bytes += entryBytes;
        queuedBytes += entryBytes;
      }
    },
    publish(message, ticket, nowMs) {
      const bytes = message.value.length + FRAME_OVERHEAD_BYTES;
      const { topic, partition } = message;
      const parts = [{ ticket, firstPlace: 0, count: 1 }];
      ticket.messages += 1;
      queue.push({ topic, partition, gatheredAtMs: nowMs, content: { kind: "raw", message }, parts, bytes });
      queuedBytes += bytes;
    },
    take() {
      const { taken, left } = choose(queue, limits);
      queue = left;
      openFrames.clear();
      queuedBytes -= taken.bytes;
      return taken;
    },
    discard(beforeMs = Number.POSITIVE_INFINITY) {
      const discarded = queue.filter((message) => message.gatheredAtMs < beforeMs);
      if (discarded.length > 0) {
        queue = queue.filter((message) => message.gatheredAtMs >= beforeMs);
        openFrames.clear();
        queuedBytes = queue.reduce((sum, { bytes }) => sum + bytes, 0);
      }
      return discarded;
    },
    waiting: () => ({ bytes: queuedBytes, oldestMs: queue[0]?.gatheredAtMs }),
  };
}

function addEntry(frame: OpenFrame, entry: FrameEntry, ticket: Ticket): void {
  const { content, parts } = frame;
  const last = parts[parts.length - 1];
  if (last?.ticket === ticket) {
    last.count += 1;
  } else {
    parts.push({ ticket, firstPlace: content.texts.length, count: 1 });
    ticket.messages += 1;
  }
  if (content.key !== entry.key) content.key = content.account;
  content.texts.push(entry.text);
}

/** A partition that has to leave a message behind leaves all later ones of its own behind too: its order holds. */
function choose(
  queue: readonly PendingMessage[],
  limits: GatheringLimits,
): { readonly taken: Gathered; readonly left: PendingMessage[] } {
  const messages: PendingMessage[] = [];
  const left: PendingMessage[] = [];
  const loads = new Map<string, { bytes: number; messages: number; closed: boolean }>();
  let bytes = 0;
  let records = 0;
  for (const message of queue) {
    const id = `${message.topic}\n${message.partition}`;
    const load = loads.get(id) ?? { bytes: 0, messages: 0, closed: false };
    loads.set(id, load);
    const isTooMuch =
      (messages.length > 0 && bytes + message.bytes > limits.sendBytesMax) ||
      (load.messages > 0 && load.bytes + message.bytes > limits.partitionBytesMax) ||
      load.messages >= PARTITION_MESSAGES_MAX;
    if (load.closed || isTooMuch) {
      load.closed = true;
      left.push(message);
      continue;
    }
    load.bytes += message.bytes;
    load.messages += 1;
    bytes += message.bytes;
    records += message.content.kind === "frame" ? message.content.texts.length : 1;
    messages.push(message);
  }
  return { taken: { messages, bytes, records }, left };
}
