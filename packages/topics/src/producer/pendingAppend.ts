/** Position of the records of one request in one partition. Offsets and positions are the first and the last of them. */
export interface Placement {
  readonly topic: string;
  readonly partition: number;
  readonly firstOffset: number;
  readonly firstPlace: number;
  readonly lastOffset: number;
  readonly lastPlace: number;
  readonly count: number;
  /** Append time of the last of them, milliseconds since 1970; undefined where the broker did not return it. */
  readonly appendedAt?: number | undefined;
}

/** Position of a message in the log. */
export interface WrittenAt {
  readonly offset: number;
  readonly timeMs: number | undefined;
}

/** One request that waits for the messages its records are in. */
export interface PendingAppend {
  /** Number of messages that hold records of it and are not answered yet. */
  messages: number;
  /** A message of it was written, with `count` records from `firstPlace` on. In the order of the partition. */
  written(
    to: { readonly topic: string; readonly partition: number },
    at: WrittenAt & { readonly firstPlace: number; readonly count: number },
  ): void;
  failed(error: unknown): void;
}

/** A pendingAppend that answers placements, one per partition. `settle` is called once, when all of its messages are written. */
export function createPendingAppend(
  resolve: (placements: readonly Placement[]) => void,
  fail: (error: unknown) => void,
): PendingAppend {
  const placements = new Map<string, Placement>();
  return {
    messages: 0,
    written({ topic, partition }, { offset, timeMs, firstPlace: firstPosition, count }) {
      const id = `${topic}\n${partition}`;
      const before = placements.get(id);
      const lastPosition = firstPosition + count - 1;
      placements.set(id, {
        topic,
        partition,
        firstOffset: before?.firstOffset ?? offset,
        firstPlace: before?.firstPlace ?? firstPosition,
        lastOffset: offset,
        lastPlace: lastPosition,
        count: (before?.count ?? 0) + count,
        ...(timeMs !== undefined && { appendedAt: timeMs }),
      });
      this.messages -= 1;
      if (this.messages === 0) resolve([...placements.values()]);
    },
    failed: fail,
  };
}
