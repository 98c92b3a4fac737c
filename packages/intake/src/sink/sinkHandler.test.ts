import { defineTable, uInt8 } from "@headwater/clickhouse/tables/index";
import { createLogger, manualClock } from "@headwater/kernel";
import { MemoryRanges, rangesContract } from "@headwater/testing";
import type { BatchContext, LogFrame } from "@headwater/topics";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CLAIM_MS_MAX } from "./insertBlocks.ts";
import type { Sink, SinkItem } from "./sink.ts";
import { createSinkHandler } from "./sinkHandler.ts";
import type { SinkHandlerOptions } from "./sinkOptions.ts";
import { TokenServer } from "./testServer.ts";
import { createSink } from "./toBlocks.ts";

const at = { topic: "intake.records", partition: 3 };
const context: BatchContext = {
  heartbeat: () => undefined,
  isStale: () => false,
  signal: new AbortController().signal,
};
const table = defineTable({ name: "rows", columns: { offset: uInt8 } });
const logger = createLogger({ name: "test", level: "silent" });

describe("progress in memory keeps the contract of the one in Postgres", () => {
  test.each(rangesContract)("%s", (_promise, check) => check(new MemoryRanges("test")));
});

let ranges: MemoryRanges;
let server: TokenServer;
let clock: ReturnType<typeof manualClock>;
/** Offsets whose rows cannot be made. */
let poison: Set<number>;
/** Offsets of frames that hold no item. */
let silent: Set<number>;
let readable: number;
beforeEach(() => {
  vi.useFakeTimers();
  [ranges, server, clock] = [new MemoryRanges("test"), new TokenServer(), manualClock(0)];
  [poison, silent] = [new Set(), new Set()];
  readable = Number.MAX_SAFE_INTEGER;
});
afterEach(() => void vi.useRealTimers());

function frames(from: number, to: number): LogFrame[] {
  const one = { timeMs: 5, key: undefined, value: Buffer.alloc(0), headers: {} };
  return Array.from({ length: to - from }, (_none, index) => ({ ...one, offset: from + index }));
}

function itemOf(offset: number): SinkItem {
  const key = { account: offset, recordId: `r${offset}`, requestId: "", itemIndex: 0, operation: "o" };
  return {
    offset,
    place: 0,
    account: offset,
    write(tables) {
      if (poison.has(offset)) throw new TypeError("no row can be made of it");
      tables.add(table, { offset });
    },
    letter: () => ({ ...key, version: "0".repeat(32), receivedAt: 0, payload: {} }),
  };
}

let processes = 0;
/** A process that owns the partition. `counted` false: rows that may be written twice. */
function owner({ counted = true, transform = 1, followed, ...options }: Partial<SinkHandlerOptions> & Kind = {}) {
  processes += 1;
  const process = processes;
  let tokens = 0;
  const sink = createSink({
    group: "test",
    transform,
    finishes: [transform],
    firstTables: [],
    isCounted: counted,
    readable: async () => readable,
    followed,
    read: async (key, read) => {
      const items = read.filter(({ offset }) => !silent.has(offset)).map(({ offset }) => itemOf(offset));
      return items.filter((item) => !ranges.isQuarantined(key, item));
    },
    stored: counted ? async () => server.places() : undefined,
  });
  const newToken = () => `${process}_${++tokens}`;
  return createSinkHandler({ sink, ranges, clickhouse: server, clock, logger, newToken, ...options });
}

interface Kind {
  readonly counted?: boolean;
  readonly transform?: number;
  readonly followed?: Sink["followed"];
}

type Owner = ReturnType<typeof owner>;
const batchOf = (from: number, to: number) => ({ ...at, frames: frames(from, to), highWatermark: 100 });

/** Starts the owner and hands it frames 0 to 3. */
async function write(handler: Owner) {
  await handler.start({ ...at, low: 0, high: 3 });
  const running = handler.batch(batchOf(0, 3), context);
  const resolved = Promise.allSettled([running]);
  await vi.advanceTimersByTimeAsync(5_000);
  await resolved;
  return running;
}

const killed = async () => {
  throw Object.assign(new Error("killed"), { code: "ECONNRESET" });
};
const row = () => ranges.read(ranges.keyOf(at), 0);

test("a check that read the offset before a range was stored does not take it for an offset that moved back", async () => {
  const handler = owner();
  await handler.start({ ...at, low: 0, high: 3 });
  const read = ranges.read.bind(ranges);
  const held = Promise.withResolvers<void>();
  vi.spyOn(ranges, "read").mockImplementationOnce(async (...asked) => {
    const before = await read(...asked);
    await held.promise;
    return before;
  });
  const checked = handler.verified?.(at);
  const running = handler.batch(batchOf(0, 3), context);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await running).toEqual({ kind: "next", offset: 3 });
  held.resolve();
  await expect(checked).resolves.toBeUndefined();
});

test("a range is stored once, and the offset is its end", async () => {
  expect(await write(owner())).toEqual({ kind: "next", offset: 3 });
  expect(server.rows()).toEqual([0, 1, 2]);
  expect(await row()).toMatchObject({ nextOffset: 3, pending: null, greatestTime: 5 });
});

test("a sink begins with the mark of the group that it follows where that has read further, and names the log", async () => {
  const mark = { offset: 7, print: "a.b.c", epoch: 1 };
  const started = { ...at, low: 0, high: 9 };
  expect(await owner({ followed: async () => mark }).start(started)).toEqual({ fromOffset: 0, mark, generation: 1 });
  await write(owner());
  const own = await owner({ followed: async () => undefined }).start(started);
  expect(own).toMatchObject({ fromOffset: 3, mark: { offset: 2 }, generation: 1 });
});

test("a partition whose stored offset was moved back is opened again, and any other goes on", async () => {
  const handler = owner();
  await write(handler);
  await handler.verified?.(at);
  const stored = await row();
  vi.spyOn(ranges, "read").mockResolvedValueOnce({ ...stored, nextOffset: 1 });
  await expect(handler.verified?.(at)).rejects.toThrow("reopening the partition");
});

test("the next owner of a claimed range sends it under the same token, and nothing twice", async () => {
  await expect(write(owner({ beforeInsert: killed }))).rejects.toThrow("killed");
  const { pending } = await row();
  expect(await write(owner())).toEqual({ kind: "next", offset: 3 });
  expect(server.sent).toEqual([`${pending?.token}:rows`]);
  expect(server.rows()).toEqual([0, 1, 2]);
});

test("rows that are stored, but not finished, are not stored again", async () => {
  const dying = owner();
  vi.spyOn(ranges, "finishShared").mockImplementationOnce(killed);
  await expect(write(dying)).rejects.toThrow("killed");
  expect(await write(owner())).toEqual({ kind: "next", offset: 3 });
  expect(server.rows()).toEqual([0, 1, 2]);
});

test("rows whose token was logged without them are missed by the count, and stored under a new token", async () => {
  server.loseNext();
  await expect(write(owner())).rejects.toThrow("killed between");
  expect(server.rows()).toEqual([]);
  const next = owner();
  expect(await write(next)).toMatchObject({ kind: "wait" });
  expect(server.rows()).toEqual([0, 1, 2]);
  // Another owner may have sent rows under the new token as well: it moves the offset when it has counted them.
  expect(await row()).toMatchObject({ nextOffset: 0 });
  expect(await write(next)).toEqual({ kind: "next", offset: 3 });
  expect(server.rows()).toEqual([0, 1, 2]);
  expect(new Set(server.sent).size).toBe(2);
});

test("an owner whose range another one took over does not take a dropped insert for a stored one", async () => {
  const slow = owner({ beforeInsert: () => new Promise((resolve) => setTimeout(resolve, 1_000)) });
  await slow.start({ ...at, low: 0, high: 3 });
  const running = slow.batch(batchOf(0, 3), context);
  await vi.advanceTimersByTimeAsync(500);
  // The second owner's insert logs the token and loses the rows: the first one's is dropped.
  server.loseNext();
  const second = owner();
  await second.start({ ...at, low: 0, high: 3 });
  await expect(second.batch(batchOf(0, 3), context)).rejects.toThrow("killed between");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await running).toMatchObject({ kind: "wait" });
  expect(await row()).toMatchObject({ nextOffset: 0 });
  await write(second);
  expect(await write(second)).toEqual({ kind: "next", offset: 3 });
  expect(server.rows()).toEqual([0, 1, 2]);
});

test("rows that may be written twice are written again and not counted", async () => {
  await expect(write(owner({ counted: false, beforeInsert: killed }))).rejects.toThrow("killed");
  expect(await write(owner({ counted: false }))).toEqual({ kind: "next", offset: 3 });
  expect(new Set(server.rows())).toEqual(new Set([0, 1, 2]));
});

test("an owner that others have overtaken goes on from where they are", async () => {
  const slow = owner();
  await slow.start({ ...at, low: 0, high: 3 });
  await write(owner());
  const late = slow.batch(batchOf(0, 3), context);
  await vi.advanceTimersByTimeAsync(1);
  expect(await late).toEqual({ kind: "seek", offset: 3 });
  expect(server.rows()).toEqual([0, 1, 2]);
});

test("a process that slept longer than its claim is good for sends nothing", async () => {
  const slept = owner({ beforeInsert: async () => void clock.advance(CLAIM_MS_MAX + 1) });
  await expect(write(slept)).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  expect(server.sent).toEqual([]);
});

test("a range that another version of the code began is left to it", async () => {
  await expect(write(owner({ beforeInsert: killed }))).rejects.toThrow("killed");
  await expect(write(owner({ transform: 2 }))).rejects.toThrow(/pending from transform 1/);
  expect(server.sent).toEqual([]);
});

test("frames that may not be read yet are waited for", async () => {
  readable = 2;
  expect(await write(owner())).toEqual({ kind: "next", offset: 2 });
  readable = 0;
  const next = owner();
  await next.start({ ...at, low: 0, high: 3 });
  expect(await next.batch(batchOf(2, 3), context)).toMatchObject({ kind: "wait" });
  expect(server.rows()).toEqual([0, 1]);
});

test("a range without rows moves the offset, claims nothing and sends nothing", async () => {
  for (const offset of [0, 1, 2]) silent.add(offset);
  const claim = vi.spyOn(ranges, "claimShared");
  expect(await write(owner())).toEqual({ kind: "next", offset: 3 });
  expect(await row()).toMatchObject({ nextOffset: 3, pending: null, greatestTime: 5 });
  expect([claim.mock.calls, server.sent]).toEqual([[], []]);
});

test("what no row can be made of is quarantined alone, and its neighbours are stored", async () => {
  poison.add(1);
  const quarantined: number[] = [];
  const handler = owner({ onQuarantined: (records) => void quarantined.push(records) });
  await handler.start({ ...at, low: 0, high: 3 });
  const first = await write(handler);
  expect(first).toMatchObject({ kind: "wait" });
  expect(await write(handler)).toEqual({ kind: "next", offset: 3 });
  expect(server.rows()).toEqual([0, 2]);
  expect(quarantined).toEqual([1]);
});

test("a row that ClickHouse refuses is found in trial tables and quarantined alone", async () => {
  server.refuse(2);
  const handler = owner({ trials: server });
  await write(handler);
  expect(await write(handler)).toEqual({ kind: "next", offset: 3 });
  expect(server.rows()).toEqual([0, 1]);
  expect(ranges.isQuarantined(ranges.keyOf(at), { offset: 2, place: 0 })).toBe(true);
  expect(server.trialTables).toEqual([]);
});

test("without trial tables a range that ClickHouse refuses stops the group", async () => {
  server.refuse(2);
  await expect(write(owner())).rejects.toThrow("a row is refused");
  expect(await row()).toMatchObject({ nextOffset: 0 });
});
