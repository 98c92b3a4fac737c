import { expect, test } from "vitest";
import { lookedAt, secondsToNextLook } from "./looks.ts";

test("sends of which nothing is heard are looked at less and less often, every 10 s at least", () => {
  let looked = lookedAt([5, 3], 0, undefined);
  const pauses = [0, 9_000, 20_000, 59_000, 100_000, 86_400_000].map((nowMs) => {
    looked = lookedAt([5, 3], nowMs, looked);
    return secondsToNextLook(looked, nowMs);
  });
  expect(pauses).toEqual([1, 1, 2, 5, 10, 10]);
});

test("an outcome has the next look come after a second again", () => {
  const quiet = lookedAt([5, 3], 0, undefined);
  expect(secondsToNextLook(lookedAt([5, 2], 90_000, quiet), 90_000)).toBe(1);
  expect(secondsToNextLook(lookedAt([5], 90_000, quiet), 90_000)).toBe(1);
  expect(secondsToNextLook(quiet, -5_000), "a clock that went back").toBe(1);
});
