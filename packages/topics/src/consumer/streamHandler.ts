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
  /** The partition was given away or the consumer stops: end at the next good place. What is stored stays stored. */
  isStale(): boolean;
  /** Aborted when the consumer stops and the batch took too long to end by itself. */
  readonly signal: AbortSignal;
}

export type BatchVerdict =
  /** All below `offset` is done: the offset after the last frame, or of any frame but the first. */
  | { readonly kind: "next"; readonly offset: number }
  /** The truth says this partition is at `offset`: go on there. */
  | { readonly kind: "seek"; readonly offset: number }
  /** Nothing can be done yet; come back with the same frames, and perhaps more. */
  | { readonly kind: "wait"; readonly ms: number };

/** What a consumer does with a stream. Errors of infrastructure are retried for ever, others are fatal: handlers quarantine poison. */
export interface StreamHandler {
  /** Called when a partition is taken over, never while a batch of it runs in this process. */
  start(at: StartOf): Promise<{ readonly fromOffset: number }>;
  batch(batch: StreamBatch, context: BatchContext): Promise<BatchVerdict>;
}
