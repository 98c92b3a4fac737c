import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { OffsetMark } from "@headwater/postgres/streams/offsetMark";
import {
  FIRST_GENERATION,
  noteHeld,
  noteSeen,
  type OffsetKey,
  OffsetMoved,
  type OpenOffset,
  readGeneration,
} from "@headwater/postgres/streams/streamOffsets";
import {
  type LogFrame,
  type LogMark,
  LogMismatch,
  markOf,
  type StreamHandler,
  type TopicPartition,
} from "@headwater/topics";

/** Returns what a row of `stream_offsets` says of the frame before its offset. */
export function storedMark({ nextOffset, mark }: Pick<OpenOffset, "nextOffset" | "mark">): LogMark | undefined {
  if (mark === null) return undefined;
  return { offset: nextOffset - 1, print: mark.print, epoch: mark.epoch ?? undefined };
}

/** Returns what such a row is to say when all frames below the offset are dealt with. */
export function markToStore(frames: readonly LogFrame[], nextOffset: number): OffsetMark | null {
  const mark = markOf(frames, nextOffset);
  return mark === undefined ? null : { print: mark.print, epoch: mark.epoch ?? null };
}

/** Rows of one group's partitions, by the generation of the log that is read. */
export interface GroupOffsets {
  /** Checks which log the group reads; to be called when a partition is opened. */
  open(at: TopicPartition): Promise<OffsetKey>;
  /** Returns the key under which a partition was opened last. */
  keyOf(at: TopicPartition): OffsetKey;
}

export function createGroupOffsets(postgres: Postgres, group: string): GroupOffsets {
  const keys = new Map<string, OffsetKey>();
  const nameOf = ({ topic, partition }: TopicPartition) => `${topic}/${partition}`;
  return {
    async open({ topic, partition }) {
      const generation = await readGeneration(postgres, { group, topic, partition });
      const key = { group, topic, partition, generation };
      keys.set(nameOf(key), key);
      return key;
    },
    keyOf: ({ topic, partition }) =>
      keys.get(nameOf({ topic, partition })) ?? { group, topic, partition, generation: FIRST_GENERATION },
  };
}

/** Opens a partition again when an operator has adopted its log, or moved its offset back: what is in hand is not what comes next. */
export function reopened(handler: StreamHandler): StreamHandler {
  return {
    ...handler,
    start: (at) => handler.start(at).catch(reopen),
    batch: (batch, context) => handler.batch(batch, context).catch(reopen),
    verified: async (at) => handler.verified?.(at).catch(reopen),
  };
}

function reopen(error: unknown): never {
  if (error instanceof OffsetMoved)
    throw new LogMismatch("The log was adopted, or its offset moved back; reopening the partition.");
  throw error;
}

/** Notes in a group's rows which partitions are held, and that the others were seen to be what was read. */
export function holdsOf(
  postgres: Postgres,
  keyOf: (at: TopicPartition) => OffsetKey,
): Required<Pick<StreamHandler, "held" | "verified">> {
  return {
    held: (at, reason) => noteHeld(postgres, keyOf(at), reason),
    verified: (at) => noteSeen(postgres, keyOf(at)).catch(reopen),
  };
}
