import { crc32 } from "node:zlib";
import type { LogFrame } from "./partitionFeed.ts";

/** The last frame that was dealt with: by it the log is known again. */
export interface LogMark {
  readonly offset: number;
  readonly print: string;
  /** Leader epoch its batch was written under; undefined where it is unknown. */
  readonly epoch?: number | undefined;
}

/** Identifies a frame at its place: append time, length and checksum. Frames hold random request ids. */
export function printOf({ timeMs, value }: Pick<LogFrame, "timeMs" | "value">): string {
  return [timeMs, value.length, crc32(value)].map((part) => part.toString(36)).join(".");
}

/** Marks the last of the frames below `nextOffset`; undefined when there is none. */
export function markOf(frames: readonly LogFrame[], nextOffset: number): LogMark | undefined {
  const last = frames.findLast(({ offset }) => offset < nextOffset);
  return last && { offset: last.offset, print: printOf(last), epoch: last.epoch };
}

/** The log is not the one that was read: made again, cut, or past its retention. The partition is held until somebody adopts it. */
export class LogMismatch extends Error {
  override readonly name = "LogMismatch";
}
