import { type Account, defaultSettings } from "@headwater/contracts";
import { manualClock } from "@headwater/kernel";
import { logCountsContract, MemoryCounts } from "@headwater/testing";
import type { BatchContext, LogFrame, StreamHandler } from "@headwater/topics";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createAccountingHandler } from "./accountingHandler.ts";

const account: Account = { number: 7, id: "a".repeat(24), name: "test", settings: defaultSettings };
const at = { topic: "intake.records", partition: 3 };
const HOUR_MS = 3_600_000;
const context: BatchContext = {
  heartbeat: () => undefined,
  isStale: () => false,
  signal: new AbortController().signal,
};

describe("counts in memory keep the contract of those in Postgres", () => {
  test.each(logCountsContract)("%s", (_promise, check) => {
    const counts = new MemoryCounts();
    return check({ counts, kept: async () => counts.batches.map(({ firstOffset }) => firstOffset) });
  });
});

let counts: MemoryCounts;
let clock: ReturnType<typeof manualClock>;
/** The registry or the store of accounts is away. */
let isAway: boolean;
beforeEach(() => {
  [counts, clock, isAway] = [new MemoryCounts(), manualClock(0), false];
});

function away(): never {
  throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
}

const record = (id: string) => ({ id, receivedAt: 2 * HOUR_MS, contact: { identifiers: { email: `${id}@x` } } });
function frame(offset: number, value: string): LogFrame {
  return { offset, timeMs: 5 * HOUR_MS, key: undefined, value: Buffer.from(value), headers: {} };
}
const frameOf = (offset: number, ...records: readonly unknown[]) =>
  frame(offset, JSON.stringify({ account: account.id, records }));

/** Values say their contents themselves, as JSON text. */
const codec = {
  decode(value: Buffer) {
    if (isAway) away();
    const text = value.toString();
    if (!text.startsWith("{")) return { kind: "undecodable" as const, reason: "not JSON" };
    return { kind: "decoded" as const, subject: "intake.upsertContact", value: JSON.parse(text) };
  },
};

function owner(): StreamHandler {
  const byId = async (id: string) => (id === account.id ? account : undefined);
  return createAccountingHandler({ counts, codec, accounts: { byId }, clock });
}

async function count(handler: StreamHandler, ...frames: readonly LogFrame[]) {
  await handler.start({ ...at, low: 0, high: 100 });
  return handler.batch({ ...at, frames, highWatermark: 100 }, context);
}

const lines = () => counts.batches.flatMap((batch) => batch.counts.map((line) => Object.values(line)));
const offset = async () => (await counts.open({ ...at, low: 0 })).nextOffset;

test("records are counted by the hour of their receipt, with the offset behind them", async () => {
  expect(await count(owner(), frameOf(0, record("a"), record("b")), frameOf(1, record("c")))).toEqual({
    kind: "next",
    offset: 2,
  });
  expect(lines()).toEqual([[7, 2, "upsertContact", 3]]);
  expect(await offset()).toBe(2);
});

test("poison counts as a record of nobody, and its neighbours as theirs", async () => {
  await count(owner(), frameOf(0, record("a"), { id: 1 }), frame(1, "not JSON"), frameOf(2, record("c")));
  expect(lines()).toEqual([
    [7, 2, "upsertContact", 2],
    [0, 5, "", 2],
  ]);
});

test("a parked record that comes again is not counted again", async () => {
  await count(owner(), frameOf(0, record("a")), frameOf(1, { ...record("a"), redriveOf: "a" }));
  expect(lines()).toEqual([[7, 2, "upsertContact", 1]]);
});

test("a registry that is away counts nothing, and the batch is counted once when it is back", async () => {
  isAway = true;
  const handler = owner();
  await expect(count(handler, frameOf(0, record("a")))).rejects.toThrow("connect");
  expect([lines(), await offset()]).toEqual([[], 0]);
  isAway = false;
  await count(handler, frameOf(0, record("a")));
  expect([lines(), await offset()]).toEqual([[[7, 2, "upsertContact", 1]], 1]);
});

test("a process killed before the batch is stored leaves it to the next owner, which counts it once", async () => {
  vi.spyOn(counts, "add").mockRejectedValueOnce(new Error("killed"));
  await expect(count(owner(), frameOf(0, record("a")))).rejects.toThrow("killed");
  expect([lines(), await offset()]).toEqual([[], 0]);
  expect(await count(owner(), frameOf(0, record("a")))).toEqual({ kind: "next", offset: 1 });
  expect(lines()).toEqual([[7, 2, "upsertContact", 1]]);
});

test("a process killed after the batch is stored makes the next owner go on behind it", async () => {
  const add = counts.add.bind(counts);
  vi.spyOn(counts, "add").mockImplementationOnce(async (key, batch) => {
    await add(key, batch);
    throw new Error("killed");
  });
  await expect(count(owner(), frameOf(0, record("a")))).rejects.toThrow("killed");
  const next = owner();
  expect(await next.start({ ...at, low: 0, high: 100 })).toMatchObject({ fromOffset: 1 });
  expect(await count(next, frameOf(0, record("a")))).toEqual({ kind: "seek", offset: 1 });
  expect(lines()).toHaveLength(1);
});

test("batches are kept until `state` passed them, and a minute longer", async () => {
  const handler = owner();
  await count(handler, frameOf(0, record("a")));
  const row = await counts.open({ ...at, low: 0 });
  counts.state = [{ ...row, group: "state", nextOffset: 1 }];
  for (const next of [1, 2, 3]) {
    clock.advance(60_000);
    await count(handler, frameOf(next, record("b")));
  }
  expect(counts.batches.map(({ firstOffset }) => firstOffset)).toEqual([1, 2, 3]);
});
