import { expect, test } from "vitest";
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

/** A position, with what is known of what follows it. */
const lag = (at: { nextOffset: number; greatestTime: number; high: number; heldSinceMs?: number }, more: object = {}) =>
  lagOf({ heldSinceMs: undefined, ...at }, { counted: undefined, sample: undefined, nowMs: NOW, ...more });

test("there is no lag at the end of the log, however old the last read is", () => {
  expect(lag({ nextOffset: 13, greatestTime: 1, high: 13 })).toEqual({ records: 0, seconds: 0 });
});

test("records are counted from the very frame that comes next, and seconds since it was appended", () => {
  const counted = { countedTo: 20, records: 7, head };
  expect(lag({ nextOffset: 11, greatestTime: 1, high: 20 }, { counted })).toEqual({ records: 11, seconds: 9 });
});

test("frames that are not counted yet hold as many records as those next to them", () => {
  const counted = { countedTo: 13, records: 0, head };
  expect(lag({ nextOffset: 12, greatestTime: 1, high: 15 }, { counted })).toEqual({ records: 6, seconds: 8 });
});

test("where nothing is counted the log says how old its next frame is and how many records frames hold", () => {
  const sample = { firstMs: 99_500, frames: 2, records: 5 };
  // Read last a night ago.
  expect(lag({ nextOffset: 5, greatestTime: 1, high: 9 }, { sample })).toEqual({ records: 10, seconds: 0.5 });
  expect(lag({ nextOffset: 0, greatestTime: 0, high: 2 }, { sample })).toEqual({ records: 5, seconds: 0.5 });
});

test("a log that cannot be read counts by frames, and the last read gives the time", () => {
  expect(lag({ nextOffset: 5, greatestTime: 97_000, high: 8 })).toEqual({ records: 3, seconds: 3 });
});

test("a held partition grows older, also at what looks like its end", () => {
  expect(lag({ nextOffset: 13, greatestTime: 1, high: 13, heldSinceMs: 40_000 })).toEqual({ records: 0, seconds: 60 });
  const sample = { firstMs: 99_000, frames: 1, records: 4 };
  const held = { nextOffset: 0, greatestTime: 1, high: 2, heldSinceMs: 40_000 };
  expect(lag(held, { sample })).toEqual({ records: 8, seconds: 60 });
});
