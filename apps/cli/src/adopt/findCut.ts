import type { OffsetMark } from "@headwater/postgres/streams/offsetMark";
import { type LogFrame, type LogReader, printOf, type Watermarks } from "@headwater/topics";

/** A partition, as the log has it. */
export interface LoggedPartition {
  readonly topic: string;
  readonly watermarks: Watermarks;
  readonly log: Pick<LogReader, "frames">;
}

/** Progress of one group in a partition, and the frame it read last. */
export interface ReadUpTo {
  readonly nextOffset: number;
  readonly greatestTime: number;
  readonly mark: OffsetMark | null;
}

/** Returns whether the log still holds what the group read last: else it is another log. */
export async function isSameLog(partition: LoggedPartition, { nextOffset, mark }: ReadUpTo): Promise<boolean> {
  const { low, high } = partition.watermarks;
  if (nextOffset < low || nextOffset > high) return false;
  if (mark === null || nextOffset - 1 < low) return true;
  const frame = await frameAt(partition, nextOffset - 1);
  return frame !== undefined && printOf(frame) === mark.print;
}

/**
 * The first offset that holds another frame than the group read there. Leader epochs never fall, and each loss of a tail begins a new
 * one, so it is the first frame of a later epoch; where epochs are not known, or are those of a restored copy, the first that was
 * appended after all that was read. Found by halving: some twenty reads.
 */
export async function findCut(partition: LoggedPartition, read: ReadUpTo): Promise<number> {
  let [same, other] = [partition.watermarks.low, Math.min(read.nextOffset, partition.watermarks.high)];
  while (same < other) {
    const middle = Math.floor((same + other) / 2);
    const frame = await frameAt(partition, middle);
    if (frame === undefined || isLater(frame, read)) other = middle;
    else same = middle + 1;
  }
  return same;
}

function isLater(frame: LogFrame, { mark, greatestTime }: ReadUpTo): boolean {
  const epoch = mark?.epoch ?? undefined;
  return (epoch !== undefined && frame.epoch !== undefined && frame.epoch > epoch) || frame.timeMs > greatestTime;
}

export async function frameAt(
  { topic, watermarks, log }: LoggedPartition,
  offset: number,
): Promise<LogFrame | undefined> {
  const [frame] = await log.frames({ topic, partition: watermarks.partition, offset });
  return frame?.offset === offset ? frame : undefined;
}
