import type { OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import { LogMismatch, printOf, type StreamBatch } from "@headwater/topics";

/**
 * Expects that frames are those which another group dealt with below its offset. Epochs never fall within a log: a frame of a later
 * one than the last that was dealt with was written after a leader had lost it.
 * @throws LogMismatch.
 */
export function expectSameLog(
  { topic, partition, frames }: StreamBatch,
  { group, nextOffset, mark }: Pick<OpenOffset, "group" | "nextOffset" | "mark">,
): void {
  if (mark === null) return;
  const isAnother = frames.some(
    (frame) =>
      (frame.offset === nextOffset - 1 && printOf(frame) !== mark.print) ||
      (frame.offset < nextOffset && (frame.epoch ?? 0) > (mark.epoch ?? Number.POSITIVE_INFINITY)),
  );
  if (isAnother) {
    throw new LogMismatch(
      `${topic}/${partition} holds other frames below offset ${nextOffset} than ${group} has read. The log was truncated or its topic recreated.`,
    );
  }
}
