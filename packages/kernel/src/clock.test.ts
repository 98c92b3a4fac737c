import { expect, test } from "vitest";
import { manualClock, systemClock } from "./clock.ts";

test("the system's monotonic time does not go back and its wall clock is whole milliseconds", () => {
  const before = systemClock.monotonicMs();
  expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(before);
  expect(Number.isInteger(systemClock.nowMs())).toBe(true);
});

test("a manual clock moves only when told, and a set wall clock leaves monotonic time alone", () => {
  const clock = manualClock(1_000);
  clock.advance(250);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1_250, 250]);
  clock.setNowMs(10);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([10, 250]);
});
