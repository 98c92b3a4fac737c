import type { LogMark } from "./logMark.ts";
import type { LogFrame } from "./partitionFeed.ts";
import type { TopicPartition } from "./streamSource.ts";

/** A partition as it is when it is taken over. `low` = first kept offset, `high` = the next record's offset. */
export interface StartOf extends TopicPartition {
  readonly low: number;
  readonly high: number;
}

/** Frames of one partition, in order, from the position on. At least one. */
export interface StreamBatch extends TopicPartition {
  readonly frames: readonly LogFrame[];
  readonly highWatermark: number;
}

export interface BatchContext {
  /** Says that the work goes on; a batch that is silent for `handlerTimeoutMs` is fatal. */
  heartbeat(): void;
  /** The partition was given away or the consumer stops: end at the next good position. What is stored stays stored. */
  isStale(): boolean;
  /** Aborted when the consumer stops and the batch took too long to end by itself. */
  readonly signal: AbortSignal;
}

export type NextPosition =
  /** All below `offset` is done: the offset after the last frame, or of any frame but the first. */
  | { readonly kind: "next"; readonly offset: number }
  /** The truth says this partition is at `offset`: go on there. */
  | { readonly kind: "seek"; readonly offset: number }
  /** Nothing can be done yet; come back with the same frames, and perhaps more. */
  | { readonly kind: "wait"; readonly ms: number };

export interface StreamStart {
  readonly fromOffset: number;
  /** The frame that was dealt with last: nothing is handed over from a log that holds something else there. */
  readonly mark?: LogMark | undefined;
  /** Number of the log, of those that were adopted one after the other; stands next to each commit. */
  readonly generation?: number | undefined;
}

/**
 * Handler of a stream. Errors of infrastructure are retried for ever, a LogMismatch holds the partition, others are
 * fatal: handlers quarantine poison.
 */
export interface StreamHandler {
  /** Called when a partition is taken over, never while a batch of it runs in this process. */
  start(at: StartOf): Promise<StreamStart>;
  batch(batch: StreamBatch, context: BatchContext): Promise<NextPosition>;
  /**
   * The partition is held because the log is not the one that was read, or, with undefined, goes on. `start` is called now and then
   * while it is held, and finds the way on where somebody made one.
   */
  held?(at: TopicPartition, reason: string | undefined): Promise<void>;
  /** The frame that was dealt with last was seen in the log. */
  verified?(at: TopicPartition): Promise<void>;
}
