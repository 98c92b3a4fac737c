import { type LogFrame, LogMismatch, markOf } from "@headwater/topics";
import { expect, test } from "vitest";
import { markToStore } from "../streams/offsets.ts";
import { expectSameLog } from "./activitiesSink.ts";

const log = frames(0, 10, 3);
const state = { group: "state", nextOffset: 6, mark: markToStore(log, 6) };

test("frames of the log that was read pass, those that state has not reached included", () => {
  expect(markOf(log, 6)?.offset).toBe(5);
  expect(() => expectSameLog(batchOf(log.slice(2, 10)), state)).not.toThrow();
  // The next leader wrote what comes after.
  expect(() => expectSameLog(batchOf([...log.slice(2, 6), ...frames(6, 10, 4)]), state)).not.toThrow();
});

test("another frame at the last offset that state has read is refused, of any epoch", () => {
  const again = frames(0, 10, 3, "another");
  expect(() => expectSameLog(batchOf(again.slice(2, 7)), state)).toThrow(LogMismatch);
  expect(() => expectSameLog(batchOf(frames(0, 10, 0, "another")), state)).toThrow(LogMismatch);
});

test("frames of a later leader below what state has read are refused before the last one is reached", () => {
  expect(() => expectSameLog(batchOf(frames(2, 4, 4)), state)).toThrow("below offset 6 than state has read");
});

test("nothing is refused by a group that has read nothing of the log", () => {
  expect(() => expectSameLog(batchOf(frames(0, 4, 9)), { ...state, nextOffset: 0, mark: null })).not.toThrow();
});

function frames(from: number, to: number, epoch: number, text = "frame"): LogFrame[] {
  return Array.from({ length: to - from }, (_, index) => {
    const value = Buffer.from(`${text} ${from + index}`);
    return { offset: from + index, timeMs: 5, epoch, key: undefined, value, headers: {} };
  });
}

function batchOf(read: readonly LogFrame[]) {
  return { topic: "intake.records", partition: 3, frames: read, highWatermark: 10 };
}
