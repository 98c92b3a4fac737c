import type { Clock, Logger } from "@headwater/kernel";
import type { LogReader } from "../kafka/logReader.ts";
import type { Pace } from "./pace.ts";
import type { FetchedBatch } from "./partitionFeed.ts";
import type { Slots } from "./slots.ts";
import type { StreamHandler } from "./streamHandler.ts";
import type { PositionToCommit, StreamSource, TopicPartition } from "./streamSource.ts";

export interface RunnerLimits {
  readonly batchFramesMax: number;
  readonly batchBytesMax: number;
  /** Fetching of the partition pauses when so much waits, and goes on at half of it. */
  readonly queueBytesMax: number;
  /** A batch smaller than this waits for its turn. */
  readonly lingerBytes: number;
}

/** Parts that a runner needs from the consumer around it. */
export interface RunnerParts {
  readonly at: TopicPartition;
  readonly source: Pick<StreamSource, "pause" | "resume" | "seek">;
  readonly handler: StreamHandler;
  readonly slots: Slots;
  readonly limits: RunnerLimits;
  readonly pace: Pace;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Low and high watermark of the partition. @throws retriable errors. */
  readonly rangeOf: (at: TopicPartition) => Promise<LogRange>;
  /** Reads the log next to the group, to know it again. */
  readonly reader: Pick<LogReader, "frames">;
  readonly isRetriable: (error: unknown) => boolean;
  readonly onFatal: (error: unknown) => void;
  /** Ends when the runner before it on the same partition has. */
  readonly before: Promise<void>;
  /** See `BatchContext.signal`. */
  readonly signal: AbortSignal;
  readonly observer?: RunnerObserver | undefined;
}

/** Observes what happens, for metrics. */
export interface RunnerObserver {
  batch?(batch: {
    readonly topic: string;
    readonly durationMs: number;
    readonly frames: number;
    readonly bytes: number;
  }): void;
  retry?(error: unknown): void;
}

/** Range that a log keeps: the first offset, and the one the next record will have. */
export interface LogRange {
  readonly low: number;
  readonly high: number;
}

export interface RunnerStatus extends PositionToCommit {
  readonly highWatermark: number;
  readonly queuedBytes: number;
}

/** A partition that is not read because its log is not the one that was read before. */
export interface HeldPartition extends TopicPartition {
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
}

/** One partition during one assignment. */
export interface PartitionRunner {
  offer(batch: FetchedBatch): void;
  /** Ends it after the batch that runs. */
  retire(): void;
  readonly done: Promise<void>;
  /** Undefined until the handler said where to begin. */
  status(): RunnerStatus | undefined;
  /** Undefined while the log is the one that was read. */
  held(): HeldPartition | undefined;
  /**
   * Compares the position with a range that was asked for when the position was `positionBefore`, and what was dealt with last with
   * the log. Seen outside twice in a row the partition is held: without this a consumer whose log was cut would wait for records
   * that never come.
   */
  look(range: LogRange, positionBefore: number): void;
  /** Returns since when the handler has been silent, monotonic; undefined while it is not at work. */
  silentSinceMs(): number | undefined;
}
