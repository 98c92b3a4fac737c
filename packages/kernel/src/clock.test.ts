import { expect, test } from "vitest";
import { ageMs, instantOf, manualClock, systemClock } from "./clock.ts";

test("the system's monotonic time does not go back and its wall clock is whole milliseconds", () => {
  const before = systemClock.monotonicMs();
  expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(before);
  expect(Number.isInteger(systemClock.nowMs())).toBe(true);
});

test("a manual clock moves only when advanced, and a set wall clock leaves monotonic time alone", () => {
  const clock = manualClock(1_000);
  const startMs = clock.monotonicMs();
  clock.advance(250);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1_250, startMs + 250]);
  clock.setNowMs(10);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([10, startMs + 250]);
});

test("an age is the greater of both clocks: neither a paused machine nor a clock that was set back makes it younger", () => {
  const clock = manualClock(1_000);
  const since = instantOf(clock);
  clock.setNowMs(61_000);
  expect(ageMs(clock, since)).toBe(60_000);
  clock.setNowMs(0);
  clock.advance(250);
  expect(ageMs(clock, since)).toBe(250);
});
