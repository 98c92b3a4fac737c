import { expect, test } from "vitest";
import type { LogSeen, OutcomesSeen } from "./accounting.ts";
import { isBalanced, isBehind, toLines } from "./balance.ts";

const key = { account: 1, hour: 10, operation: "upsertContact" };
const at = { topic: "intake.records", partition: 0 };
const range = { account: 1, from: 0, to: 100 };

const outcomes: OutcomesSeen = {
  offsets: [{ ...at, nextOffset: 12 }],
  outcomes: [{ ...key, applied: 5, skipped: 2, copies: 1 }],
  rejects: [{ ...key, rejected: 1, parked: 1 }],
  lost: [],
};
/** Ten records up to offset 12; behind it two of a batch that begins before it, and a whole batch of three. */
const log: LogSeen = {
  offsets: [{ ...at, nextOffset: 30 }],
  counts: [{ ...key, records: 15 }],
  later: [
    {
      ...at,
      firstOffset: 10,
      counts: [
        [1, 10, "upsertContact", 6],
        [2, 10, "upsertContact", 9],
      ],
      frames: [
        [0, 0, [[0, 4]]],
        [1, 5, [[1, 9]]],
        [2, 9, [[0, 2]]],
      ],
    },
    { ...at, firstOffset: 13, counts: [[1, 10, "upsertContact", 3]], frames: null },
  ],
};

test("what is in the log behind the place of the outcomes is pending, and copies are not accepted twice", () => {
  const [line, ...others] = toLines(outcomes, log, range);
  expect(others).toEqual([]);
  expect(line).toEqual({ ...key, accepted: 14, applied: 5, skipped: 2, rejected: 1, parked: 1, lost: 0, pending: 5 });
  expect(line && isBalanced(line)).toBe(true);
});

test("what the log lost is a place of its own", () => {
  const lost = {
    ...outcomes,
    outcomes: [{ ...key, applied: 3, skipped: 2, copies: 1 }],
    lost: [{ ...key, records: 2 }],
  };
  const [line] = toLines(lost, log, range);
  expect(line).toMatchObject({ applied: 3, lost: 2 });
  expect(line && isBalanced(line)).toBe(true);
});

test("a record less on either side is reported", () => {
  const lost = { ...outcomes, outcomes: [{ ...key, applied: 4, skipped: 2, copies: 1 }] };
  expect(toLines(lost, log, range).map(isBalanced)).toEqual([false]);
  expect(toLines(outcomes, { ...log, counts: [] }, range).map(isBalanced)).toEqual([false]);
  expect(toLines({ ...outcomes, rejects: [], lost: [] }, log, range).map(isBalanced)).toEqual([false]);
});

test("a partition that nothing became of yet is pending whole", () => {
  const [line] = toLines(
    { offsets: [], outcomes: [], rejects: [], lost: [] },
    { ...log, counts: [{ ...key, records: 9 }] },
    range,
  );
  expect(line).toMatchObject({ accepted: 9, pending: 9 });
});

test("the log's count is behind when it has not come to where the outcomes go, on any partition", () => {
  expect(isBehind(outcomes, log)).toBe(false);
  expect(isBehind(outcomes, { offsets: [{ ...at, nextOffset: 11 }] })).toBe(true);
  expect(isBehind({ offsets: [{ ...at, partition: 1, nextOffset: 1 }] }, log)).toBe(true);
});
