import { deepEqual, equal } from "node:assert/strict";
import type { MemoryCounts } from "./memoryCounts.ts";

/** Counts of the log, with what a test checks. */
export interface CountsUnderTest {
  readonly counts: Pick<MemoryCounts, "open" | "keyOf" | "add" | "held">;
  /** First offsets of the batches that are kept. */
  kept(): Promise<readonly number[]>;
}

const AT = { topic: "intake.records", partition: 3 };

function batch(firstOffset: number, nextOffset: number, dropBelow = 0) {
  const counts = [{ account: 1, hour: 7, operation: "upsertContact", records: 2 }];
  const frames = [[0, 0, [[0, 2]]]] as const;
  const mark = { print: "0123456789abcdef", epoch: 2 };
  return { firstOffset, nextOffset, baseTime: 5, counts, frames, madeAt: 9, lastTime: nextOffset, mark, dropBelow };
}

async function opened({ counts }: CountsUnderTest) {
  await counts.open({ ...AT, low: 4 });
  return counts.keyOf(AT);
}

/** Promises of all counts of the log, in memory or in Postgres: each is given counts in which nothing was opened. */
export const logCountsContract: readonly (readonly [
  promise: string,
  check: (under: CountsUnderTest) => Promise<void>,
])[] = [
  [
    "a batch is kept with the offset behind it",
    async (under) => {
      const key = await opened(under);
      equal(await under.counts.add(key, batch(4, 6)), undefined);
      equal(await under.counts.add(key, batch(6, 9)), undefined);
      deepEqual(await under.kept(), [4, 6]);
      const row = await under.counts.open({ ...AT, low: 0 });
      deepEqual([row.nextOffset, row.greatestTime, row.mark], [9, 9, batch(0, 0).mark]);
    },
  ],
  [
    "a batch that another owner has added is added once, and one above the offset is not",
    async (under) => {
      const key = await opened(under);
      await under.counts.add(key, batch(4, 6));
      equal(await under.counts.add(key, batch(4, 6)), 6);
      equal(await under.counts.add(key, batch(7, 9)), 6);
      deepEqual(await under.kept(), [4]);
    },
  ],
  [
    "batches that `state` has passed are dropped with the next one",
    async (under) => {
      const key = await opened(under);
      await under.counts.add(key, batch(4, 6));
      await under.counts.add(key, batch(6, 9));
      await under.counts.add(key, batch(9, 12, 6));
      deepEqual(await under.kept(), [6, 9]);
    },
  ],
  [
    "a partition says why it is held until it goes on",
    async (under) => {
      await opened(under);
      await under.counts.held(AT, "the log was cut");
      equal((await under.counts.open({ ...AT, low: 0 })).heldWhy, "the log was cut");
      await under.counts.held(AT, undefined);
      equal((await under.counts.open({ ...AT, low: 0 })).heldWhy, null);
    },
  ],
];
