import { LogMismatch } from "./logMark.ts";
import type { Patience } from "./patience.ts";
import type { LogRange, RunnerParts } from "./runnerApi.ts";
import type { TopicPartition } from "./streamSource.ts";

const LOOKS = 3;
const LOOK_AGAIN_MS = 1_000;

/**
 * Returns whether the log keeps an offset, or begins to be written at it. A broker that has just started may show less than it has, so what
 * looks cut off is looked at again.
 * @returns false when the end came first. @throws LogMismatch when it does not.
 */
export async function isInLog(parts: RunnerParts, patience: Patience, offset: number): Promise<boolean> {
  for (let look = 1; ; look += 1) {
    const range = await patience.persist(() => parts.rangeOf(parts.at));
    if (range === undefined) return false;
    if (offset >= range.low && offset <= range.high) return true;
    if (look === LOOKS) throw outsideOfLog(parts.at, offset, range);
    await patience.rest(LOOK_AGAIN_MS);
  }
}

export function outsideOfLog({ topic, partition }: TopicPartition, offset: number, range: LogRange): LogMismatch {
  return new LogMismatch(
    `${topic}/${partition}: offset ${offset} is out of range; the log retains ${range.low} to ${range.high}. ` +
      "The topic was recreated, the log was truncated, or retention deleted records before they were read.",
  );
}
