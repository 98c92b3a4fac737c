import type { WithdrawnRange } from "@headwater/guard/consistency/storeRecoveries";
import type { LogFrame, TopicPartition } from "@headwater/topics";

/** Leaves out change events that Postgres has lost since, or publishes once more. */
export type WithoutWithdrawn = (at: TopicPartition, frames: readonly LogFrame[]) => Promise<readonly LogFrame[]>;

/** Reads the ranges once: they change only while no projector runs. */
export function createWithoutWithdrawn(read: () => Promise<readonly WithdrawnRange[]>): WithoutWithdrawn {
  let ranges: readonly WithdrawnRange[] | undefined;
  return async ({ topic, partition }, frames) => {
    ranges ??= await read();
    const own = ranges.filter((range) => range.topic === topic && range.partition === partition);
    if (own.length === 0) return frames;
    return frames.filter(({ offset }) => !own.some(({ from, to }) => offset >= from && offset < to));
  };
}
