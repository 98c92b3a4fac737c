import { deepEqual, equal } from "node:assert/strict";
import type { MemoryRanges } from "./memoryRanges.ts";

/** Members of a sink's progress that the contract is about. */
export type RangesUnderTest = Pick<
  MemoryRanges,
  "open" | "keyOf" | "read" | "claimShared" | "detach" | "replace" | "finish" | "finishShared" | "advance" | "held"
>;

const AT = { topic: "intake.records", partition: 3 };
const seen = { lastRecordId: null, greatestTime: 7, outboxPosition: 0, mark: { print: "0123456789abcdef", epoch: 2 } };
const range = (token: string, attempt = 0) => ({ to: 9, token, attempt, transform: 1, shared: false });

async function opened(ranges: RangesUnderTest, at = AT) {
  await ranges.open({ ...at, low: 4 });
  const key = ranges.keyOf(at);
  return { key, row: () => ranges.read(key, 0) };
}

/** Claims from the offset up to 9 as one writer, and detaches the claim: another owner may take it over. */
async function claimDetached(ranges: RangesUnderTest, key: Parameters<RangesUnderTest["read"]>[0], from: number) {
  const isClaimed = await ranges.claimShared([{ key, from, to: 9 }], { token: "one", transform: 1 });
  return isClaimed && (await ranges.detach(key, "one"));
}

const SHARED = { token: "shared", transform: 1 };

/** Two partitions, and what a shared claim says of them. */
async function openedTwo(ranges: RangesUnderTest) {
  const one = await opened(ranges);
  const other = await opened(ranges, { ...AT, partition: 5 });
  const claims = [
    { key: one.key, from: 4, to: 9 },
    { key: other.key, from: 4, to: 6 },
  ];
  return { one, other, claims, stored: claims.map(({ key }) => ({ key, seen })) };
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
      await ranges.advance([{ key, from: 4, to: { nextOffset: 6, greatestTime: 1, mark: null } }]);
      equal((await ranges.open({ ...AT, low: 5 })).nextOffset, 6);
    },
  ],
  [
    "of two owners one claims the range, and from the stored offset alone",
    async (ranges) => {
      const { key, row } = await opened(ranges);
      equal(await claimDetached(ranges, key, 3), false);
      equal(await claimDetached(ranges, key, 4), true);
      equal(await ranges.claimShared([{ key, from: 4, to: 9 }], { token: "two", transform: 1 }), false);
      deepEqual((await row()).pending, range("one"));
    },
  ],
  [
    "the pending token alone finishes a range, once, and the offset is its end",
    async (ranges) => {
      const { key, row } = await opened(ranges);
      await claimDetached(ranges, key, 4);
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
      await claimDetached(ranges, key, 4);
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
      equal(await ranges.advance([{ key, from: 3, to }]), false);
      equal(await ranges.advance([{ key, from: 4, to: { ...to, nextOffset: 6, greatestTime: 8 } }]), true);
      await claimDetached(ranges, key, 6);
      equal(await ranges.advance([{ key, from: 6, to }]), false);
      await ranges.finish(key, "one", seen);
      equal((await row()).greatestTime, 8);
    },
  ],
  [
    "ranges of several partitions are claimed under one token and finished together",
    async (ranges) => {
      const { one, other, claims, stored } = await openedTwo(ranges);
      equal(await ranges.claimShared(claims, SHARED), true);
      equal(await ranges.claimShared(claims, { ...SHARED, token: "again" }), false);
      deepEqual((await other.row()).pending, { ...SHARED, to: 6, attempt: 0, shared: true });
      equal(await ranges.finishShared("another", stored), false);
      equal(await ranges.finishShared(SHARED.token, stored), true);
      equal(await ranges.finishShared(SHARED.token, stored), false);
      const [first, second] = [await one.row(), await other.row()];
      deepEqual([first.nextOffset, second.nextOffset, first.pending, second.pending], [9, 6, null, null]);
      deepEqual([first.mark, second.greatestTime], [seen.mark, 7]);
    },
  ],
  [
    "nothing is claimed together or moved together when one of the partitions stands elsewhere",
    async (ranges) => {
      const { one, other, claims } = await openedTwo(ranges);
      await ranges.advance([{ key: other.key, from: 4, to: { nextOffset: 5, greatestTime: 1, mark: null } }]);
      equal(await ranges.claimShared(claims, SHARED), false);
      const to = { nextOffset: 6, greatestTime: 1, mark: null };
      equal(await ranges.advance(claims.map(({ key, from }) => ({ key, from, to }))), false);
      const { nextOffset, pending } = await one.row();
      deepEqual({ nextOffset, pending }, { nextOffset: 4, pending: null });
    },
  ],
  [
    "a shared claim of which a partition was detached is finished one by one, and by its token alone only after that",
    async (ranges) => {
      const { one, other, claims, stored } = await openedTwo(ranges);
      await ranges.claimShared(claims, SHARED);
      equal(await ranges.finish(one.key, SHARED.token, seen), false);
      equal(await ranges.replace(one.key, SHARED.token, range("next", 1)), false);
      equal(await ranges.detach(one.key, "another"), false);
      equal(await ranges.detach(one.key, SHARED.token), true);
      equal(await ranges.detach(one.key, SHARED.token), false);
      equal(await ranges.finishShared(SHARED.token, stored), false);
      equal((await other.row()).nextOffset, 4);
      equal(await ranges.finish(one.key, SHARED.token, seen), true);
      equal(await ranges.finishShared(SHARED.token, stored), false);
      equal(await ranges.detach(other.key, SHARED.token), true);
      equal(await ranges.finish(other.key, SHARED.token, seen), true);
      deepEqual([(await one.row()).nextOffset, (await other.row()).nextOffset], [9, 6]);
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
