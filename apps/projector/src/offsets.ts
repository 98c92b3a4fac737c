import { noteHeld, noteSeen, type OffsetKey, type OffsetMark, type OpenOffset, type Postgres } from "@headwater/stores";
import { type LogFrame, type LogMark, markOf, type StreamHandler, type TopicPartition } from "@headwater/topics";

/** What a row of `stream_offsets` says of the frame before its offset. */
export function storedMark({ nextOffset, mark }: Pick<OpenOffset, "nextOffset" | "mark">): LogMark | undefined {
  if (mark === null) return undefined;
  return { offset: nextOffset - 1, print: mark.print, epoch: mark.epoch ?? undefined };
}

/** What such a row is to say when all frames below the offset are dealt with. */
export function markToStore(frames: readonly LogFrame[], nextOffset: number): OffsetMark | null {
  const mark = markOf(frames, nextOffset);
  return mark === undefined ? null : { print: mark.print, epoch: mark.epoch ?? null };
}

/** Notes in a group's rows which partitions are held, and that the others were seen to be what was read. */
export function holdsOf(
  postgres: Postgres,
  keyOf: (at: TopicPartition) => OffsetKey,
): Required<Pick<StreamHandler, "held" | "verified">> {
  return {
    held: (at, reason) => noteHeld(postgres, keyOf(at), reason),
    verified: (at) => noteSeen(postgres, keyOf(at)),
  };
}
