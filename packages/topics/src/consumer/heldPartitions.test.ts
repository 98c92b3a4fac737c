import { manualClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { markOf } from "./logMark.ts";
import { framesFrom, memoryHandler, memoryLog } from "./memoryLog.ts";
import type { LogFrame } from "./partitionFeed.ts";
import type { StreamHandler } from "./streamHandler.ts";
import { consume, stopConsumersAfterEach } from "./testConsumer.ts";

stopConsumersAfterEach();

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test("a position outside of the log holds the partition with what was seen, until the handler knows another", async () => {
  const log = memoryLog(1, 40);
  log.low = 20;
  const handler = memoryHandler();
  const reasons: (string | undefined)[] = [];
  handler.truth.set(0, 10);
  const observed = { ...handler, held: async (_at: object, reason: string | undefined) => void reasons.push(reason) };
  const { fatals, consumer } = await consume(log, observed);
  await expect.poll(() => consumer.held()[0]?.reason).toContain("offset 10 is out of range; the log retains 20 to 40");
  expect(handler.worked.size).toBe(0);
  handler.truth.set(0, 20);
  await expect.poll(() => handler.worked.get(0)).toEqual(range(20, 40));
  expect([consumer.held(), reasons.at(-1), fatals]).toEqual([[], undefined, []]);
});

test("a log that is cut while nothing is read from it holds its partition too, and a quiet one shows its end", async () => {
  const log = memoryLog(1, 40);
  const handler = memoryHandler();
  const { consumer } = await consume(log, handler, { lookIntervalMs: 100 });
  await expect.poll(() => handler.truth.get(0)).toBe(40);
  await expect.poll(() => consumer.positions()[0]?.highWatermark).toBe(40);
  log.high = 0;
  await expect.poll(() => consumer.held()[0]?.reason).toContain("offset 40 is out of range; the log retains 0 to 0");
});

test("a log that was cut and has grown past the position again is not read on, and other partitions are", async () => {
  const log = memoryLog(2, 40);
  const handler = memoryHandler();
  const { consumer, fatals } = await consume(log, handler);
  await expect.poll(() => [handler.truth.get(0), handler.truth.get(1)]).toEqual([40, 40]);
  // Partition 0 lost all from 30 on; its next leader has another epoch.
  log.frames = (from, to, partition) =>
    framesFrom(from, to).map((frame) => (partition === 0 && frame.offset >= 30 ? another(frame) : frame));
  log.high = 60;
  await expect.poll(() => consumer.held()).toMatchObject([{ partition: 0 }]);
  await expect.poll(() => handler.truth.get(1)).toBe(60);
  expect([handler.truth.get(0), fatals]).toEqual([40, []]);
});

test("a topic made anew that is fetched from its beginning, and has grown past the position, is not read on", async () => {
  const log = memoryLog(1, 40);
  const handler = memoryHandler();
  const { consumer, fatals } = await consume(log, handler);
  await expect.poll(() => handler.truth.get(0)).toBe(40);
  // Its first leader has the epoch of the former one; kafkajs goes back where an offset is out of range.
  log.frames = (from, to) => framesFrom(from, to).map((frame) => ({ ...frame, value: Buffer.alloc(100, 2) }));
  log.high = 60;
  const frames = log.frames(0, 60, 0);
  log.sources[0]?.events.batch({ topic: "t", partition: 0 }, { frames, highWatermark: 60 });
  await expect
    .poll(() => consumer.held()[0]?.reason)
    .toContain("a different frame than the one that was read at offset 39");
  expect([handler.truth.get(0), fatals]).toEqual([40, []]);
});

test("a topic made anew that has grown past the position while nothing came is not read on", async () => {
  const log = memoryLog(1, 40);
  const handler = memoryHandler();
  const clock = manualClock();
  const { consumer, fatals } = await consume(log, handler, { clock });
  await expect.poll(() => handler.truth.get(0)).toBe(40);
  clock.advance(2_000);
  log.frames = (from, to) => framesFrom(from, to).map((frame) => ({ ...frame, value: Buffer.alloc(100, 2) }));
  log.high = 60;
  await expect
    .poll(() => consumer.held()[0]?.reason)
    .toContain("a different frame than the one that was read at offset 39");
  expect([handler.truth.get(0), fatals]).toEqual([40, []]);
});

test("a leader that was elected without a loss is read on", async () => {
  const log = memoryLog(1, 40);
  const handler = memoryHandler();
  const { consumer } = await consume(log, handler);
  await expect.poll(() => handler.truth.get(0)).toBe(40);
  log.frames = (from, to) => framesFrom(from, to).map((frame) => (frame.offset >= 40 ? another(frame) : frame));
  log.high = 60;
  await expect.poll(() => handler.truth.get(0)).toBe(60);
  expect(consumer.held()).toEqual([]);
});

test("what was dealt with before this process began is looked for first", async () => {
  const log = memoryLog(1, 40);
  const handler = memoryHandler();
  handler.truth.set(0, 20);
  const [read] = framesFrom(19, 20).map(another);
  const start: StreamHandler["start"] = async (at) => ({
    ...(await handler.start(at)),
    mark: markOf(read ? [read] : [], 20),
  });
  const { consumer } = await consume(log, { ...handler, start });
  await expect
    .poll(() => consumer.held()[0]?.reason)
    .toContain("a different frame than the one that was read at offset 19");
  expect(handler.worked.size).toBe(0);
});

function another(frame: LogFrame): LogFrame {
  return { ...frame, epoch: 2, value: Buffer.alloc(100, 2) };
}
