/** One message of the log. */
export interface LogFrame {
  readonly offset: number;
  /** The broker's append time, milliseconds since 1970. */
  readonly timeMs: number;
  /** Leader epoch its batch was written under. */
  readonly epoch?: number | undefined;
  readonly key: string | undefined;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Messages of one partition as they were fetched, in order. */
export interface FetchedBatch {
  readonly frames: readonly LogFrame[];
  /** Offset the next record of the partition will have. */
  readonly highWatermark: number;
}

export type Offered =
  /** `hasBegunBelow`: it begins below what comes next. The source went back, to the log's beginning perhaps, because the offset was not there. */
  | { readonly kind: "taken"; readonly hasBegunBelow: boolean }
  /** The batch does not hold what comes next: it is dropped whole and `seekTo` has to be fetched. */
  | { readonly kind: "misfit"; readonly seekTo: number };

export type Moved =
  /** The position is known and what follows is here or on its way. */
  | { readonly kind: "kept" }
  /** The queue was dropped; `seekTo` has to be fetched. */
  | { readonly kind: "seek"; readonly seekTo: number };

/** The read position of one partition and what was fetched from there on. */
export interface PartitionFeed {
  offer(batch: FetchedBatch): Offered;
  /** The next frames, at least one where there is one. They stay until the position moves past them. */
  peek(framesMax: number, bytesMax: number): readonly LogFrame[];
  /** Everything below `offset` is done. @throws Error when nothing at all would be done, or more than was handed out. */
  advance(offset: number): void;
  /** The truth says the position is elsewhere. */
  moveTo(offset: number): Moved;
  /** The log's end, learnt otherwise than by a batch. */
  sawEnd(highWatermark: number): void;
  position(): number;
  highWatermark(): number;
  queuedBytes(): number;
}

const FRAME_OVERHEAD_BYTES = 256;

/**
 * The rules of a partition's position. kafkajs may deliver from the group's commit before a seek takes hold, so what lies
 * below the position is dropped, and a batch that begins above it is refused: taking it would lose what is between.
 */
export function createPartitionFeed(fromOffset: number): PartitionFeed {
  let position = fromOffset;
  /** Offset that has to come next from the log; the queue holds all from `position` to here. */
  let expected = fromOffset;
  let highWatermark = fromOffset;
  let queue: LogFrame[] = [];
  let bytes = 0;

  function drop(count: number): void {
    for (const frame of queue.splice(0, count)) bytes -= sizeOf(frame);
  }

  function countBelow(offset: number): number {
    const index = queue.findIndex((frame) => frame.offset >= offset);
    return index === -1 ? queue.length : index;
  }

  return {
    offer(batch) {
      highWatermark = batch.highWatermark;
      const first = batch.frames[0];
      const last = batch.frames[batch.frames.length - 1];
      if (first === undefined || last === undefined) return { kind: "taken", hasBegunBelow: false };
      if (first.offset > expected || last.offset < expected) return { kind: "misfit", seekTo: expected };
      const hasBegunBelow = first.offset < expected;
      for (const frame of batch.frames) {
        if (frame.offset < expected) continue;
        queue.push(frame);
        bytes += sizeOf(frame);
      }
      expected = last.offset + 1;
      return { kind: "taken", hasBegunBelow };
    },
    peek(framesMax, bytesMax) {
      let count = 0;
      let sum = 0;
      for (const frame of queue) {
        sum += sizeOf(frame);
        if (count > 0 && (count >= framesMax || sum > bytesMax)) break;
        count += 1;
      }
      return queue.slice(0, count);
    },
    advance(offset) {
      if (offset <= position || offset > expected) {
        throw new Error(`a batch from ${position} to ${expected} cannot end at ${offset}`);
      }
      position = offset;
      drop(countBelow(offset));
    },
    moveTo(offset) {
      const isQueued = offset >= position && offset <= expected;
      position = offset;
      if (isQueued) {
        drop(countBelow(offset));
        return { kind: "kept" };
      }
      expected = offset;
      queue = [];
      bytes = 0;
      return { kind: "seek", seekTo: offset };
    },
    sawEnd(end) {
      highWatermark = end;
    },
    position: () => position,
    highWatermark: () => highWatermark,
    queuedBytes: () => bytes,
  };
}

function sizeOf(frame: LogFrame): number {
  return frame.value.length + FRAME_OVERHEAD_BYTES;
}
