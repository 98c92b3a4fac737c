import { experimentTypes } from "@headwater/contracts";
import { expect, test } from "vitest";
import { firstCheckAfterMs, testLengthMs, WEIGHTS_RENEWED_AFTER_MS } from "./timings.ts";

test("each kind of experiment is looked at when it may have taught something, and a split never", () => {
  expect(experimentTypes.map((type) => [type, firstCheckAfterMs(type)])).toEqual([
    ["split", undefined],
    ["split-with-champion", 60_000],
    ["bandit", WEIGHTS_RENEWED_AFTER_MS],
  ]);
  expect(WEIGHTS_RENEWED_AFTER_MS).toBe(900_000);
});

test("a champion's test takes as many minutes as its message says", () => {
  expect([testLengthMs({ decideAfterMinutes: 90 }), testLengthMs({})]).toEqual([5_400_000, 0]);
});
