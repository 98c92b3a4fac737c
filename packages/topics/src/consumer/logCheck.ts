import type { LogReader } from "../kafka/logReader.ts";
import { type LogMark, LogMismatch, markOf, printOf } from "./logMark.ts";
import type { LogFrame } from "./partitionFeed.ts";
import type { TopicPartition } from "./streamSource.ts";

/** Watches that a partition still holds the frame that was dealt with last. */
export interface LogCheck {
  /** Begins with the mark that was stored. @throws LogMismatch, and retriable errors. */
  begin(mark: LogMark | undefined): Promise<void>;
  /** Checks frames that come next. @throws LogMismatch, and retriable errors. */
  before(frames: readonly LogFrame[]): Promise<void>;
  /** All of the frames below the offset are dealt with. */
  after(frames: readonly LogFrame[], nextOffset: number): void;
  /** The log gave other frames than the next ones: what comes next is checked, whatever its epoch. A topic made again has the first epoch again. */
  doubt(): void;
  /** The truth is elsewhere: what was dealt with last is not known. */
  forget(): void;
  /** Checks the log itself again. @returns whether there was anything to check. @throws as `before`. */
  look(): Promise<boolean>;
}

export interface LogCheckParts {
  readonly at: TopicPartition;
  readonly reader: Pick<LogReader, "frames">;
  /** First kept offset. */
  readonly lowOf: () => Promise<number>;
  readonly rest: (ms: number) => Promise<void>;
}

const CHECKS = 3;
const CHECK_AGAIN_MS = 1_000;

/**
 * Compares the mark with the log wherever it could have become another one: at the start, whenever a frame comes from another leader
 * epoch than the mark (a broker that was restarted or elected may have lost its tail), behind a fetch that gave other frames, and each
 * time somebody asks. Frames of the mark's own epoch cost one comparison of a number a batch.
 */
export function createLogCheck({ at, reader, lowOf, rest }: LogCheckParts): LogCheck {
  let mark: LogMark | undefined;
  let isDoubted = false;

  /** A broker that has just started may show less than it has, so what looks cut off is read again. */
  async function verify(expected: LogMark): Promise<void> {
    for (let check = 1; ; check += 1) {
      const [frame] = await reader.frames({ ...at, offset: expected.offset });
      if (frame?.offset === expected.offset && printOf(frame) === expected.print) return;
      if (expected.offset < (await lowOf())) return;
      if (check === CHECKS || (frame !== undefined && frame.offset === expected.offset))
        throw mismatch(at, expected, frame);
      await rest(CHECK_AGAIN_MS);
    }
  }

  return {
    async begin(stored) {
      mark = stored;
      if (stored !== undefined) await verify(stored);
    },
    async before(frames) {
      const expected = mark;
      if (expected === undefined) return;
      const same = frames.find(({ offset }) => offset === expected.offset);
      if (same !== undefined && printOf(same) !== expected.print) throw mismatch(at, expected, same);
      const last = frames[frames.length - 1];
      if (last === undefined || last.offset <= expected.offset) return;
      if (last.epoch === expected.epoch && !isDoubted) return;
      // Before the check: what is doubted while it runs is checked again.
      isDoubted = false;
      await verify(expected).catch((error: unknown) => {
        isDoubted = true;
        throw error;
      });
      mark = { ...expected, epoch: last.epoch };
    },
    after(frames, nextOffset) {
      const passed = markOf(frames, nextOffset);
      if (passed !== undefined && passed.offset >= (mark?.offset ?? 0)) mark = passed;
    },
    doubt() {
      isDoubted = true;
    },
    forget() {
      mark = undefined;
    },
    async look() {
      const expected = mark;
      if (expected === undefined) return false;
      await verify(expected);
      return true;
    },
  };
}

function mismatch({ topic, partition }: TopicPartition, { offset }: LogMark, found: LogFrame | undefined): LogMismatch {
  const what = found === undefined ? "holds nothing" : "holds a different frame than the one that was read";
  return new LogMismatch(
    `${topic}/${partition} ${what} at offset ${offset}. The log was truncated or its topic recreated.`,
  );
}
