import type { RangeClaim, RangeStep, StoredRange } from "@headwater/postgres/streams/sharedRanges";
import type { OffsetKey, OpenOffset, PendingRange, StoredOffset } from "@headwater/postgres/streams/streamOffsets";
import type { StartOf, StreamHandler, TopicPartition } from "@headwater/topics";
import type { Poison } from "../quarantine/quarantine.ts";

/** Facts about the frames of a range that are stored when the offset moves behind it. */
export type RangeSeen = Pick<StoredOffset, "lastRecordId" | "greatestTime" | "outboxPosition" | "mark">;

/** Poison of a range, as its owner saw the row. */
export interface PoisonOfRange {
  /** Offset and claim that the owner knows: when the row has others, another owner has moved on. */
  readonly nextOffset: number;
  readonly token: string | undefined;
  /** Claim to make when there is none. */
  readonly claim: PendingRange;
  readonly poison: readonly Poison[];
  readonly nowMs: number;
  /** `state` counted these records as applied: they are rejected now. */
  readonly wereApplied: boolean;
}

/**
 * Port of a sink's progress: the offset of each partition and the range that was claimed from there. Each change is a
 * compare-and-set, so that of two owners of a partition only one moves it. `rangesContract` says what implementations promise.
 */
export interface SinkRanges extends Required<Pick<StreamHandler, "held" | "verified">> {
  /** Checks which log the group reads, and opens the partition's row: `low` is next when there is none. */
  open(at: StartOf): Promise<OpenOffset>;
  /** Returns the key under which a partition was opened last. */
  keyOf(at: TopicPartition): OffsetKey;
  /** Reads the row, made at `firstOffset` when it is missing. */
  read(key: OffsetKey, firstOffset: number): Promise<OpenOffset>;
  /** Puts a new attempt in the place of the one with the token. @returns false when another owner was first, or the claim was not detached. */
  replace(key: OffsetKey, oldToken: string, range: PendingRange): Promise<boolean>;
  /** Moves the offset to the range's end. @returns false when the token is not the pending one any more, or was not detached. */
  finish(key: OffsetKey, token: string, seen: RangeSeen): Promise<boolean>;
  /** Fixes ranges of one or several partitions under one token, all or none. @returns false when one of them moved or is pending. */
  claimShared(claims: readonly RangeClaim[], shared: Pick<PendingRange, "token" | "transform">): Promise<boolean>;
  /** Takes a partition out of a shared claim, which nobody can finish as a whole any more. @returns false when it ended before. */
  detach(key: OffsetKey, token: string): Promise<boolean>;
  /** Moves the offsets of all partitions of a shared claim, or none. @returns false when one of them was detached. */
  finishShared(token: string, stored: readonly StoredRange[]): Promise<boolean>;
  /** Moves offsets past frames that have no rows, all or none. @returns false when one moved already or a range is pending. */
  advance(steps: readonly RangeStep[]): Promise<boolean>;
  /** Quarantines poison and claims the range, both or neither. @returns the fresh poison; none when another owner moved on. */
  quarantine(key: OffsetKey, found: PoisonOfRange): Promise<readonly Poison[]>;
}
