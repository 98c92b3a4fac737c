import { HeadwaterError } from "@headwater/kernel";
import type { FrameAppend, FrameProducer } from "@headwater/topics";

/** A log in memory: one frame a request, at the end of its partition. */
export interface Log extends Pick<FrameProducer, "append"> {
  readonly appended: FrameAppend[];
  /** Every call gets 503. */
  isAway: boolean;
}

export function memoryLog(): Log {
  const ends = new Map<number, number>();
  const log: Log = {
    appended: [],
    isAway: false,
    async append(append) {
      if (log.isAway) {
        const publicMessage = "The log is away.";
        const extra = { retryAfterSeconds: 1 };
        throw new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true, extra });
      }
      log.appended.push(append);
      const [{ partition } = { partition: 0 }] = append.entries;
      const offset = ends.get(partition) ?? 0;
      ends.set(partition, offset + 1);
      const at = { firstOffset: offset, firstPlace: 0, lastOffset: offset, lastPlace: append.entries.length - 1 };
      return [{ topic: append.topic, partition, ...at, count: append.entries.length }];
    },
  };
  return log;
}
