import { expect, test } from "vitest";
import { createLogCheck } from "./logCheck.ts";
import { LogMismatch, printOf } from "./logMark.ts";
import type { LogFrame } from "./partitionFeed.ts";

const at = { topic: "intake.records", partition: 2 };

const frameOf = (offset: number, text: string): LogFrame => ({
  offset,
  key: "key",
  value: Buffer.from(text),
  headers: {},
  timeMs: 1_000 + offset,
  epoch: 0,
});

/** A check of a log that holds one frame at offset 6, and how often that was read. */
async function checkOf(inLog: LogFrame, read: LogFrame) {
  let checks = 0;
  const frames = async () => {
    checks += 1;
    return [inLog];
  };
  const check = createLogCheck({ at, reader: { frames }, lowOf: async () => 0, rest: async () => undefined });
  await check.begin(undefined);
  check.after([read], 7);
  return { check, looks: () => checks };
}

test("frames of the epoch that was read are taken without a look at the log", async () => {
  const { check, looks: reads } = await checkOf(frameOf(6, "as read"), frameOf(6, "as read"));
  await check.before([frameOf(7, "next")]);
  expect(reads()).toBe(0);
});

test("behind a fetch that gave other frames the log is looked at once, although the epoch is the same", async () => {
  const { check, looks } = await checkOf(frameOf(6, "as read"), frameOf(6, "as read"));
  check.doubt();
  await check.before([frameOf(7, "next")]);
  await check.before([frameOf(7, "next")]);
  expect(looks()).toBe(1);
});

test("a topic made anew that has grown beyond what was read of the former one is found out", async () => {
  const read = frameOf(6, "of the former log");
  const { check } = await checkOf(frameOf(6, "of the new log"), read);
  expect(printOf(read)).not.toBe(printOf(frameOf(6, "of the new log")));
  check.doubt();
  await expect(check.before([frameOf(7, "next")])).rejects.toThrow(LogMismatch);
});
