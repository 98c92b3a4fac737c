import type { FetchedBatch } from "./partitionFeed.ts";

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface PartitionOffset extends TopicPartition {
  readonly offset: number;
}

export interface PositionToCommit extends PartitionOffset {
  /** See `StreamStart.generation`. */
  readonly generation?: number | undefined;
}

/** Events of a source. All calls are made at once, never later; they must not wait. */
export interface SourceEvents {
  /** The group gave these partitions out, and no others. All of them are paused until resumed. */
  assigned(partitions: readonly TopicPartition[]): void;
  batch(at: TopicPartition, batch: FetchedBatch): void;
  /** The loop came round, or did something else that shows it lives. */
  alive(): void;
  /** It ended for good and has to be made again. */
  crashed(error: unknown): void;
}

/** One member of a consumer group. */
export interface StreamSource {
  /** @throws (rejects) when it cannot connect. */
  start(): Promise<void>;
  pause(at: TopicPartition): void;
  resume(at: TopicPartition): void;
  seek(at: PartitionOffset): void;
  /** Advisory: for tools that display lag, and for where a new group member begins. */
  commit(offsets: readonly PositionToCommit[]): Promise<void>;
  /** Leaves the group. */
  stop(): Promise<void>;
}

export type OpenSource = (events: SourceEvents) => StreamSource;
