import { expect, test } from "vitest";
import { toBody } from "../freshness/getFreshness/handler.ts";
import { lagOf } from "./lags.ts";

const NOW = 100_000;
/** Frames at 10, 11 and 12 with two records each, appended at 90 s, 91 s and 92 s. */
const head = {
  firstOffset: 10,
  baseTime: 90_000,
  frames: [
    [0, 0, [[0, 2]]],
    [1, 1_000, [[0, 2]]],
    [2, 2_000, [[0, 2]]],
  ] as const,
};

test("there is no lag at the end of the log, however old the last read is", () => {
  expect(lagOf({ nextOffset: 13, greatestTime: 1, high: 13 }, undefined, NOW)).toEqual({ records: 0, seconds: 0 });
});

test("records are counted from the very frame that comes next, and seconds since it was appended", () => {
  const counted = { countedTo: 20, records: 7, head };
  expect(lagOf({ nextOffset: 11, greatestTime: 1, high: 20 }, counted, NOW)).toEqual({ records: 11, seconds: 9 });
});

test("frames that are not counted yet hold as many records as those next to them", () => {
  const counted = { countedTo: 13, records: 0, head };
  expect(lagOf({ nextOffset: 12, greatestTime: 1, high: 15 }, counted, NOW)).toEqual({ records: 6, seconds: 8 });
});

test("every frame counts as a record where nothing is counted, and the last read gives the time", () => {
  expect(lagOf({ nextOffset: 5, greatestTime: 97_000, high: 8 }, undefined, NOW)).toEqual({ records: 3, seconds: 3 });
  expect(lagOf({ nextOffset: 0, greatestTime: 0, high: 8 }, undefined, NOW)).toEqual({ records: 8, seconds: 0 });
});

test("a store is as far behind as the slowest partition that feeds it; the accounting feeds none", () => {
  const lag = (group: string, partition: number, records: number, seconds: number) => {
    return { group, topic: "intake.records", partition, records, seconds };
  };
  const lags = [lag("state", 0, 1, 2), lag("state", 1, 2, 1), lag("activities", 0, 9, 4), lag("accounting", 0, 5, 60)];
  expect(toBody(lags, 3)).toEqual({
    data: [
      { topic: "intake.records", group: "state", records: 3, seconds: 2 },
      { topic: "intake.records", group: "activities", records: 9, seconds: 4 },
      { topic: "intake.records", group: "accounting", records: 5, seconds: 60 },
    ],
    postgres: { seconds: 2 },
    clickhouse: { seconds: 4 },
  });
  expect(toBody([], 3).clickhouse).toEqual({ seconds: 3 });
});
