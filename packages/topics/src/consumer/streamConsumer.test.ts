import { HeadwaterError, manualClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { framesFrom, memoryHandler, memoryLog } from "./memoryLog.ts";
import type { NextPosition, StreamHandler } from "./streamHandler.ts";
import { consume, stopConsumersAfterEach } from "./testConsumer.ts";

const away = new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "away", retriable: true });

stopConsumersAfterEach();

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test("every partition is worked off from where the handler says, once and in order", async () => {
  const handler = memoryHandler();
  handler.truth.set(1, 12);
  await consume(memoryLog(2, 40), handler);
  await expect.poll(() => handler.worked.get(0)).toEqual(range(0, 40));
  await expect.poll(() => handler.worked.get(1)).toEqual(range(12, 40));
});

test("a delivery from somewhere else before the seek takes hold loses nothing and doubles nothing", async () => {
  const log = memoryLog(1, 40);
  log.lateSeek = 30;
  const handler = memoryHandler();
  handler.truth.set(0, 10);
  await consume(log, handler);
  await expect.poll(() => handler.worked.get(0)).toEqual(range(10, 40));
  expect(log.seeks).toBeGreaterThan(1);
});

test("a handler that knows better is followed back and forth", async () => {
  const results: (NextPosition | undefined)[] = [{ kind: "seek", offset: 20 }, undefined, { kind: "seek", offset: 5 }];
  const handler = memoryHandler(() => results.shift());
  await consume(memoryLog(1, 40), handler);
  await expect.poll(() => handler.truth.get(0)).toBe(40);
  const worked = handler.worked.get(0) ?? [];
  expect(worked[0]).toBe(20);
  expect(worked.slice(worked.indexOf(5))).toEqual(range(5, 40));
});

test("a partition that waits gets the same frames again while others go on", async () => {
  let isOpen = false;
  const handler = memoryHandler(({ partition }) => (partition === 0 && !isOpen ? { kind: "wait", ms: 2 } : undefined));
  await consume(memoryLog(2, 40), handler);
  await expect.poll(() => handler.worked.get(1)).toEqual(range(0, 40));
  expect(handler.worked.get(0)).toBeUndefined();
  isOpen = true;
  await expect.poll(() => handler.worked.get(0)).toEqual(range(0, 40));
});

test("what is away is waited for, partition by partition, and nothing is lost", async () => {
  let failures = 2;
  const retries: unknown[] = [];
  const handler = memoryHandler(({ partition }) => {
    if (partition === 0 && failures > 0) {
      failures -= 1;
      throw away;
    }
    return undefined;
  });
  const options = { observer: { retry: (error: unknown) => retries.push(error) } };
  const { fatals } = await consume(memoryLog(2, 40), handler, options);
  await expect.poll(() => handler.worked.get(1)).toEqual(range(0, 40));
  await expect.poll(() => handler.worked.get(0)).toEqual(range(0, 40));
  expect(retries).toEqual([away, away]);
  expect(fatals).toEqual([]);
});

test("an error of ours is fatal, once, and everything stops", async () => {
  const bug = new TypeError("a bug");
  const handler = memoryHandler(() => {
    throw bug;
  });
  const { fatals, consumer } = await consume(memoryLog(3, 40), handler);
  await expect.poll(() => fatals).toEqual([bug]);
  expect(consumer.positions()).toEqual([]);
});

test("a handler that makes no progress is a bug", async () => {
  const { fatals } = await consume(
    memoryLog(1, 40),
    memoryHandler(() => ({ kind: "next", offset: 0 })),
  );
  await expect.poll(() => String(fatals[0])).toContain("cannot end at 0");
});

test("a new assignment asks the handler again and never runs two batches of a partition at once", async () => {
  const log = memoryLog(1, 40);
  let atWork = 0;
  let atWorkMax = 0;
  const handler = memoryHandler();
  const slow: StreamHandler = {
    start: handler.start,
    async batch(batch, context) {
      atWork += 1;
      atWorkMax = Math.max(atWorkMax, atWork);
      await expect.poll(() => context.isStale() || log.sources.length > 0).toBe(true);
      const result = await handler.batch(batch);
      atWork -= 1;
      return result;
    },
  };
  await consume(log, slow);
  for (let round = 0; round < 5; round += 1) {
    log.sources[0]?.events.assigned([{ topic: "t", partition: 0 }]);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await expect.poll(() => handler.truth.get(0)).toBe(40);
  expect(handler.starts).toBeGreaterThan(1);
  expect(atWorkMax).toBe(1);
  expect(handler.worked.get(0)).toEqual(range(0, 40));
});

test("fetching pauses when a slow handler has enough in front of it", async () => {
  const log = memoryLog(1, 200);
  let isOpen = false;
  const handler = memoryHandler(() => (isOpen ? undefined : { kind: "wait", ms: 1 }));
  const { consumer } = await consume(log, handler, { maxBytesPerPartition: 1_000, batchBytesMax: 1_000 });
  await expect.poll(() => log.pauses).toBe(1);
  expect(consumer.positions()[0]?.queuedBytes).toBeLessThan(10_000);
  isOpen = true;
  await expect.poll(() => handler.worked.get(0)).toEqual(range(0, 200));
});

test("a consumer that crashed or cannot connect is made anew until it works", async () => {
  const log = memoryLog(1, 40);
  log.startError = new Error("ECONNREFUSED");
  const handler = memoryHandler();
  const { consumer } = await consume(log, handler);
  expect(consumer.state()).toBe("away");
  log.startError = undefined;
  await expect.poll(() => handler.truth.get(0)).toBe(40);
  log.high = 60;
  log.sources.at(-1)?.events.crashed(new Error("for good"));
  await expect.poll(() => handler.worked.get(0)).toEqual(range(0, 60));
  expect(log.sources.slice(0, -1).every(({ stopped }) => stopped)).toBe(true);
});

test("a consumer whose loop stands still is made anew", async () => {
  const log = memoryLog(1, 40);
  const handler = memoryHandler();
  const { consumer } = await consume(log, handler, {
    stallTimeoutMs: 50,
    openSource: (events) => log.open(log.sources.length > 0 ? events : { ...events, alive: () => undefined }),
  });
  // A machine that stands still for longer than that looks like a loop that does: the second one may have a third.
  await expect.poll(() => log.sources.length).toBeGreaterThan(1);
  await expect.poll(() => consumer.state()).toBe("running");
});

test("what an old member still delivers is ignored", async () => {
  const log = memoryLog(1, 10);
  const handler = memoryHandler();
  await consume(log, handler);
  await expect.poll(() => handler.truth.get(0)).toBe(10);
  log.sources[0]?.events.crashed(new Error("gone"));
  log.sources[0]?.events.batch({ topic: "t", partition: 0 }, { frames: framesFrom(10, 20), highWatermark: 20 });
  await expect.poll(() => log.sources.length).toBe(2);
  expect(handler.worked.get(0)).toEqual(range(0, 10));
});

test("stopping waits for the batch that runs, commits with the log's generation, and leaves", async () => {
  const log = memoryLog(1, 7);
  const { promise, resolve } = Promise.withResolvers<void>();
  let isAtWork = false;
  const handler = memoryHandler();
  const { consumer } = await consume(log, {
    start: async (at) => ({ ...(await handler.start(at)), generation: 3 }),
    async batch(batch) {
      isAtWork = true;
      await promise;
      return handler.batch(batch);
    },
  });
  await expect.poll(() => isAtWork).toBe(true);
  const stopped = consumer.stop();
  resolve();
  await stopped;
  expect(handler.worked.get(0)).toEqual(range(0, 7));
  expect(log.commits.at(-1)).toMatchObject({ topic: "t", partition: 0, generation: 3 });
  expect(log.sources.every((source) => source.stopped)).toBe(true);
});

test("stopping aborts a batch that takes too long", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const handler = memoryHandler();
  const { consumer } = await consume(memoryLog(1, 7), {
    start: handler.start,
    batch(_batch, { signal }) {
      resolve();
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(away)));
    },
  });
  await promise;
  await consumer.stop(20);
  expect(consumer.state()).toBe("stopped");
});

test("a batch without a sign of life is fatal, one that gives them is not", async () => {
  const clock = manualClock(0);
  const log = memoryLog(1, 7);
  let isQuiet = false;
  let signs = 0;
  let checks = 0;
  const watermarks = async () => {
    checks += 1;
    return [{ partition: 0, low: log.low, high: log.high }];
  };
  const { fatals, consumer } = await consume(
    log,
    {
      start: memoryHandler().start,
      async batch(_batch, { heartbeat, isStale }) {
        while (!isStale()) {
          if (!isQuiet) heartbeat();
          signs += isQuiet ? 0 : 1;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        throw away;
      },
    },
    {
      clock,
      handlerTimeoutMs: 60_000,
      stallTimeoutMs: 1e9,
      lookIntervalMs: 1,
      admin: { watermarks, close: async () => undefined },
    },
  );
  for (const _round of [1, 2]) {
    clock.advance(50_000);
    const [signsBefore, checksBefore] = [signs, checks];
    await expect.poll(() => signs).toBeGreaterThan(signsBefore + 1);
    await expect.poll(() => checks).toBeGreaterThan(checksBefore);
  }
  expect([fatals, consumer.state()]).toEqual([[], "running"]);
  isQuiet = true;
  clock.advance(61_000);
  await expect.poll(() => String(fatals[0])).toContain("silent for more than 60000 ms");
});

test("small batches that follow another wait for company when that is configured", async () => {
  const log = memoryLog(1, 7);
  const sizes: number[] = [];
  const handler = memoryHandler(({ frames }) => {
    sizes.push(frames.length);
    return undefined;
  });
  // Long compared with what three short fetches take on a busy machine.
  await consume(log, handler, { lingerMs: 750, lingerBytes: 1e6 });
  await expect.poll(() => handler.truth.get(0)).toBe(7);
  log.high = 28;
  await expect.poll(() => handler.truth.get(0)).toBe(28);
  expect(sizes).toEqual([7, 21]);
});

test("a batch that comes long after another waits for nothing", async () => {
  const clock = manualClock();
  const log = memoryLog(1, 7);
  const handler = memoryHandler();
  await consume(log, handler, { lingerMs: 20_000, lingerBytes: 1e6, clock });
  await expect.poll(() => handler.truth.get(0)).toBe(7);
  clock.advance(20_000);
  log.high = 14;
  await expect.poll(() => handler.truth.get(0)).toBe(14);
});
