import type { Block } from "@headwater/clickhouse/clickhouse";
import { defineTable, uInt8 } from "@headwater/clickhouse/tables/index";
import { createLogger, manualClock } from "@headwater/kernel";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import { MemoryRanges } from "@headwater/testing";
import type { BatchContext, LogFrame } from "@headwater/topics";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Path, SinkItem } from "./sink.ts";
import { createSinkHandler } from "./sinkHandler.ts";
import { TokenServer } from "./testServer.ts";
import { createSink } from "./toBlocks.ts";

/*
 * Owners of partitions come and go while ranges of several partitions are written together: some are killed between any two
 * calls, several own one partition at a time, and inserts that were given up arrive later.
 */

const PARTITIONS = [0, 1, 2] as const;
const FRAMES = 9;
/** A row is one byte: its partition and its offset. */
const rowOf = (partition: number, offset: number) => partition * 64 + offset;
const ALL = PARTITIONS.flatMap((partition) =>
  Array.from({ length: FRAMES }, (_none, offset) => rowOf(partition, offset)),
);

const table = defineTable({ name: "rows", columns: { row: uInt8 } });
const logger = createLogger({ name: "test", level: "silent" });
const context: BatchContext = {
  heartbeat: () => undefined,
  isStale: () => false,
  signal: new AbortController().signal,
};
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const killed = () => Object.assign(new Error("killed"), { code: "ECONNRESET" });

interface Life {
  readonly startMs: number;
  readonly partitions: readonly number[];
  /** Frames that its first read takes of a partition. */
  readonly batch: number;
  /** Times that its calls take, in turn. */
  readonly delaysMs: readonly number[];
  /** Number of calls that end well. */
  readonly calls: number;
  /** Fate of the call at which it is killed; `lateMs`: an insert that arrives so much later. */
  readonly fate: "not sent" | "stored" | "token alone" | { readonly lateMs: number };
}

const lives = fc.array(
  fc.record({
    startMs: fc.nat(400),
    partitions: fc.subarray([...PARTITIONS], { minLength: 1 }),
    batch: fc.integer({ min: 1, max: FRAMES }),
    delaysMs: fc.array(fc.nat(60), { minLength: 1, maxLength: 7 }),
    calls: fc.oneof(fc.nat(30), fc.constant(1_000)),
    fate: fc.oneof(
      fc.constantFrom("not sent" as const, "stored" as const, "token alone" as const),
      fc.record({ lateMs: fc.nat(6_000) }),
    ),
  }),
  { minLength: 1, maxLength: 5 },
);

class World {
  readonly ranges = new MemoryRanges("test");
  readonly server = new TokenServer();
  readonly isCounted: boolean;
  tokens = 0;

  constructor(isCounted: boolean) {
    this.isCounted = isCounted;
  }

  async run(life: Life): Promise<void> {
    await sleep(life.startMs);
    const handler = this.#process(life);
    await Promise.all(life.partitions.map((partition) => work(handler, partition, life.batch)));
  }

  /** A process all of whose calls fail from the one on at which it is killed. */
  #process(life: Life) {
    let calls = 0;
    let isDead = false;
    const take = async (): Promise<boolean> => {
      await sleep(life.delaysMs[calls % life.delaysMs.length] ?? 0);
      if (isDead) throw killed();
      calls += 1;
      isDead = calls > life.calls;
      return isDead;
    };
    const called = async <Result>(call: () => Promise<Result>): Promise<Result> => {
      const isLast = await take();
      if (isLast && life.fate === "not sent") throw killed();
      const result = await call();
      if (isLast) throw killed();
      return result;
    };
    const insertBlock = async (block: Block): Promise<void> => {
      const isLast = await take();
      if (isLast && life.fate === "not sent") throw killed();
      if (isLast && life.fate === "token alone") this.server.loseNext();
      if (isLast && typeof life.fate === "object") return this.#arrive(block, life.fate.lateMs);
      await this.server.insertBlock(block).finally(() => this.server.loseNext(false));
      if (isLast) throw killed();
    };
    return createSinkHandler({
      sink: this.#sink(called),
      ranges: new Proxy(this.ranges, {
        get: (ranges, name: keyof MemoryRanges) => {
          const member = ranges[name];
          if (typeof member !== "function" || name === "keyOf") return member.bind(ranges);
          return (...input: never[]) => called(() => Reflect.apply(member, ranges, input));
        },
      }),
      clickhouse: { insertBlock },
      clock: manualClock(0),
      logger,
      newToken: () => `token ${++this.tokens}`,
    });
  }

  #arrive(block: Block, lateMs: number): never {
    setTimeout(() => void this.server.insertBlock(block).catch(() => undefined), lateMs);
    throw killed();
  }

  #sink(called: <Result>(call: () => Promise<Result>) => Promise<Result>) {
    return createSink({
      group: "test",
      transform: 1,
      finishes: [1],
      firstTables: [],
      isCounted: this.isCounted,
      readable: async () => Number.MAX_SAFE_INTEGER,
      read: async ({ partition }, frames) => frames.map(({ offset }) => itemOf(partition, offset)),
      stored: this.isCounted ? (key) => called(async () => this.#places(key)) : undefined,
    });
  }

  #places({ partition }: OffsetKey): Set<Path> {
    const rows = this.server.rows().filter((row) => Math.floor(row / 64) === partition);
    return new Set(rows.map((row): Path => `${row % 64}:0`));
  }
}

function itemOf(partition: number, offset: number): SinkItem {
  const deadLetter = () => {
    throw new Error("nothing is poison here");
  };
  return {
    offset,
    place: 0,
    account: 1,
    write: (tables) => tables.add(table, { row: rowOf(partition, offset) }),
    letter: deadLetter,
  };
}

function frames(from: number, to: number): LogFrame[] {
  const one = { timeMs: 5, key: undefined, value: Buffer.alloc(0), headers: {} };
  return Array.from({ length: Math.min(to, FRAMES) - from }, (_none, index) => ({ ...one, offset: from + index }));
}

/** Works a partition off until its end or the process's. */
async function work(handler: ReturnType<typeof createSinkHandler>, partition: number, batch: number): Promise<void> {
  const at = { topic: "intake.records", partition };
  try {
    let { fromOffset } = await handler.start({ ...at, low: 0, high: FRAMES });
    for (let size = batch; fromOffset < FRAMES; ) {
      const next = { ...at, frames: frames(fromOffset, fromOffset + size), highWatermark: FRAMES };
      const verdict = await handler.batch(next, context);
      if (verdict.kind !== "wait") fromOffset = verdict.offset;
      else await sleep(verdict.ms);
      size = verdict.kind === "wait" ? FRAMES : batch;
    }
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith("killed")) throw error;
  }
}

/** Lets all lives run, then one process that nobody kills; returns the rows that are stored in the end. */
async function rowsAfter(provided: readonly Life[], isCounted: boolean): Promise<readonly number[]> {
  const world = new World(isCounted);
  const last: Life = {
    startMs: 500,
    partitions: PARTITIONS,
    batch: FRAMES,
    delaysMs: [1],
    calls: Number.MAX_SAFE_INTEGER,
    fate: "stored",
  };
  let isDone = false;
  const all = Promise.all([...provided.map((life) => world.run(life)), world.run(last)]).finally(() => {
    isDone = true;
  });
  const resolved = Promise.allSettled([all]);
  while (!isDone) await vi.advanceTimersByTimeAsync(1_000);
  await resolved;
  await all;
  // Inserts that are still under way arrive when all is finished.
  await vi.advanceTimersByTimeAsync(10_000);
  for (const partition of PARTITIONS) {
    const key = world.ranges.keyOf({ topic: "intake.records", partition });
    expect(await world.ranges.read(key, 0)).toMatchObject({ nextOffset: FRAMES, pending: null });
  }
  return world.server.rows();
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("each activity is stored once, whoever owns its partition and wherever owners are killed", async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (received) => {
      expect(await rowsAfter(received, true)).toEqual(ALL);
    }),
    { numRuns: 400 },
  );
});

test("each change is stored, whoever owns its partition and wherever owners are killed", async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (given) => {
      expect([...new Set(await rowsAfter(given, false))]).toEqual(ALL);
    }),
    { numRuns: 100 },
  );
});

test("an insert that is dropped, because another owner's was lost under the token, is not taken for a stored one", async () => {
  const token: Life = {
    startMs: 107,
    partitions: [0, 1, 2],
    batch: 1,
    delaysMs: [20],
    calls: 15,
    fate: "token alone",
  };
  const late: Life = { startMs: 0, partitions: [0], batch: 1, delaysMs: [16, 0], calls: 8, fate: { lateMs: 0 } };
  const slow: Life = { ...late, partitions: [0, 1, 2], delaysMs: [0, 34, 32, 0], calls: 1_000 };
  expect(await rowsAfter([token, late, slow], true)).toEqual(ALL);
});

test("an insert that drops the rows of one partition, because another's were sent alone under the token, loses none", async () => {
  const life = { batch: FRAMES, calls: 1_000, fate: "stored" } as const;
  // The insert of the first owner arrives when the second one has sent its rows, and before that one has counted them.
  const slow: Life = { ...life, startMs: 0, partitions: [0, 1], delaysMs: [1, 1, 1, 40, 1] };
  const quick: Life = { ...life, startMs: 10, partitions: [1], delaysMs: [1, 1, 1, 60, 1] };
  expect(await rowsAfter([slow, quick], true)).toEqual(ALL);
});
