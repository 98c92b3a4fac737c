import { ACCOUNTING_GROUP, STATE_GROUP } from "@headwater/contracts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { OffsetMark } from "@headwater/postgres/streams/offsetMark";
import {
  lockOffset,
  type OffsetKey,
  type OpenOffset,
  openOffset,
  readOffsets,
  setOffset,
} from "@headwater/postgres/streams/streamOffsets";
import type { StartOf, StreamHandler, TopicPartition } from "@headwater/topics";
import { createGroupOffsets, holdsOf } from "../streams/offsets.ts";
import { addLogBatch, deleteLogBatches, type LogBatch } from "./accounting.ts";

/** A counted batch, and what is stored with the offset behind it. */
export interface CountedBatch extends LogBatch {
  /** Time of the batch's last frame. */
  readonly lastTime: number;
  readonly mark: OffsetMark | null;
  /** Batches that end at or below this offset are dropped: `state` has passed them. */
  readonly dropBelow: number;
}

/** Port of the counts of the log and the group's progress. `logCountsContract` says what implementations promise. */
export interface LogCounts extends Required<Pick<StreamHandler, "held" | "verified">> {
  /** Checks which log the group reads, and opens the partition's row: `low` is next when there is none. */
  open(at: StartOf): Promise<OpenOffset>;
  /** Returns the key under which a partition was opened last. */
  keyOf(at: TopicPartition): OffsetKey;
  /**
   * Adds the batch and moves the offset to its end, both or neither.
   * @returns where the group is when that is not the batch's first offset: nothing was added.
   */
  add(key: OffsetKey, batch: CountedBatch): Promise<number | undefined>;
  /** Reads the offsets of `state`. */
  stateOffsets(): Promise<readonly OpenOffset[]>;
}

/** Counts and progress in Postgres. */
export function createStoredCounts(postgres: Postgres): LogCounts {
  const offsets = createGroupOffsets(postgres, ACCOUNTING_GROUP);
  return {
    open: async (at) => openOffset(postgres, await offsets.open(at), at.low),
    keyOf: offsets.keyOf,
    add: (key, batch) => addBatch(postgres, key, batch),
    stateOffsets: () => readOffsets(postgres, [STATE_GROUP]),
    ...holdsOf(postgres, offsets.keyOf),
  };
}

function addBatch(postgres: Postgres, key: OffsetKey, batch: CountedBatch): Promise<number | undefined> {
  const { lastTime, mark, dropBelow, ...counted } = batch;
  const { nextOffset } = counted;
  return postgres.transaction(async (transaction) => {
    const stored = await lockOffset(transaction, key);
    if (stored.nextOffset !== counted.firstOffset) return stored.nextOffset;
    const greatestTime = Math.max(stored.greatestTime, lastTime);
    await Promise.all([
      addLogBatch(transaction, key, counted),
      deleteLogBatches(transaction, key, dropBelow),
      setOffset(transaction, key, { ...stored, nextOffset, greatestTime, windowFrom: nextOffset, mark }),
    ]);
    return undefined;
  });
}
