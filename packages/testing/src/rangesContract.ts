import { deepEqual, equal } from "node:assert/strict";
import type { MemoryRanges } from "./memoryRanges.ts";

/** Members of a sink's progress that the contract is about. */
export type RangesUnderTest = Pick<
  MemoryRanges,
  "open" | "keyOf" | "read" | "claim" | "replace" | "finish" | "advance" | "held"
>;

const AT = { topic: "intake.records", partition: 3 };
const seen = { lastRecordId: null, greatestTime: 7, outboxPosition: 0, mark: { print: "0123456789abcdef", epoch: 2 } };
const range = (token: string, attempt = 0) => ({ to: 9, token, attempt, transform: 1 });

async function opened(ranges: RangesUnderTest) {
  await ranges.open({ ...AT, low: 4 });
  const key = ranges.keyOf(AT);
  return { key, row: () => ranges.read(key, 0) };
}

/** Promises of every progress of a sink, in memory or in Postgres: each is given ranges in which nothing was opened. */
export const rangesContract: readonly (readonly [
  promise: string,
  check: (ranges: RangesUnderTest) => Promise<void>,
])[] = [
  [
    "a partition begins at the first kept offset, and later where it stands",
    async (ranges) => {
      const { key, row } = await opened(ranges);
      equal((await row()).nextOffset, 4);
      equal((await row()).pending, null);
      await ranges.advance(key, 4, { nextOffset: 6, greatestTime: 1, mark: null });
      equal((await ranges.open({ ...AT, low: 5 })).nextOffset, 6);
    },
  ],
  [
    "of two owners one claims the range, and from the stored offset alone",
    async (ranges) => {
      const { key, row } = await opened(ranges);
      equal(await ranges.claim(key, 3, range("early")), false);
      equal(await ranges.claim(key, 4, range("one")), true);
      equal(await ranges.claim(key, 4, range("two")), false);
      deepEqual((await row()).pending, range("one"));
    },
  ],
  [
    "the pending token alone finishes a range, once, and the offset is its end",
    async (ranges) => {
      const { key, row } = await opened(ranges);
      await ranges.claim(key, 4, range("one"));
      equal(await ranges.finish(key, "two", seen), false);
      equal((await row()).nextOffset, 4);
      equal(await ranges.finish(key, "one", seen), true);
      equal(await ranges.finish(key, "one", seen), false);
      const { nextOffset, pending, greatestTime, mark } = await row();
      deepEqual(
        { nextOffset, pending, greatestTime, mark },
        { nextOffset: 9, pending: null, greatestTime: 7, mark: seen.mark },
      );
    },
  ],
  [
    "a new attempt takes the place of the pending one, whose token then finishes nothing",
    async (ranges) => {
      const { key } = await opened(ranges);
      await ranges.claim(key, 4, range("one"));
      equal(await ranges.replace(key, "one", range("two", 1)), true);
      equal(await ranges.replace(key, "one", range("three", 1)), false);
      equal(await ranges.finish(key, "one", seen), false);
      equal(await ranges.finish(key, "two", seen), true);
    },
  ],
  [
    "nothing advances from another offset or while a range is pending, and the greatest time never goes back",
    async (ranges) => {
      const { key, row } = await opened(ranges);
      const to = { nextOffset: 9, greatestTime: 5, mark: null };
      equal(await ranges.advance(key, 3, to), false);
      equal(await ranges.advance(key, 4, { ...to, nextOffset: 6, greatestTime: 8 }), true);
      await ranges.claim(key, 6, range("one"));
      equal(await ranges.advance(key, 6, to), false);
      await ranges.finish(key, "one", seen);
      equal((await row()).greatestTime, 8);
    },
  ],
  [
    "a partition says why it is held until it goes on",
    async (ranges) => {
      const { row } = await opened(ranges);
      await ranges.held(AT, "the log was cut");
      equal((await row()).heldWhy, "the log was cut");
      await ranges.held(AT, undefined);
      equal((await row()).heldWhy, null);
    },
  ],
];
