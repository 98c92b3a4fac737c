import fc from "fast-check";
import { expect, test } from "vitest";
import { isAbandoned, nextAttemptMs } from "./backoff.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MIDDLE = 0.5;

test("pauses grow from a minute to eight hours and stay there", () => {
  const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((attempts) => nextAttemptMs(0, attempts, MIDDLE) / MINUTE_MS);
  expect(minutes).toEqual([1, 5, 15, 60, 120, 240, 480, 480, 480]);
  expect(nextAttemptMs(0, 0, MIDDLE)).toBe(MINUTE_MS);
});

test("jitter moves a pause by at most a fifth, and the longest one of an attempt is shorter than the shortest of the next", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempts, random) => {
        const pause = nextAttemptMs(0, attempts, MIDDLE);
        const drawn = nextAttemptMs(0, attempts, random);
        expect(Math.abs(drawn - pause)).toBeLessThanOrEqual(pause / 5 + 1);
        expect(drawn).toBeLessThan(nextAttemptMs(0, attempts + 1, 0));
      },
    ),
  );
});

test("a send is given up when its next attempt is later than its hours, and not at the bound", () => {
  const bound = { firstAt: 1_000, hours: 24 };
  expect(isAbandoned({ ...bound, next: 1_000 + 24 * HOUR_MS })).toBe(false);
  expect(isAbandoned({ ...bound, next: 1_001 + 24 * HOUR_MS })).toBe(true);
});
