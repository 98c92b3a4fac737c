import type { PendingAppend } from "./pendingAppend.ts";

/** One record on its way: its partition, the key of its contact, its serialised text. */
export interface FrameEntry {
  readonly partition: number;
  readonly key: string;
  readonly text: string;
  /** Size of all records of its item together, on the first of several: they share a frame when there is one that has space for them. */
  readonly item?: { readonly records: number; readonly bytes: number } | undefined;
}

/** The records of one request, in order. */
export interface FrameAppend {
  readonly topic: string;
  readonly subject: string;
  readonly account: string;
  readonly entries: readonly FrameEntry[];
  /** Trace context of a sampled request: its frames carry it as a header. */
  readonly traceparent?: string | undefined;
  /** Its records of a partition share no frame with others': while they are within the bounds of a frame, they are written whole or not at all. */
  readonly isApart?: boolean | undefined;
}

/** A value that is ready to be written as it is: change records, dead letters, redriven frames. */
export interface RawMessage {
  readonly topic: string;
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer;
  /** Headers, which only redrives and sampled requests carry: five of them halve what the producer can do. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Records of a message that belong to one request. */
interface Part {
  readonly append: PendingAppend;
  readonly firstPlace: number;
  count: number;
}

/** One message of the log before it is written. */
export interface PendingMessage {
  readonly topic: string;
  readonly partition: number;
  readonly batchedAtMs: number;
  readonly content: FrameContent | { readonly kind: "raw"; readonly message: RawMessage };
  readonly parts: Part[];
  bytes: number;
}

export interface FrameContent {
  readonly kind: "frame";
  readonly subject: string;
  readonly account: string;
  /** The records, none once they are in `value`. */
  texts: string[];
  /** The whole frame as it is written, where it was put together before its send. */
  value?: Buffer;
  /** The contact's key while all records share it, else the account. */
  key: string;
  /** Trace context of the first sampled request in it. */
  traceparent: string | undefined;
}
