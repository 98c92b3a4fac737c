import { expect, test } from "vitest";
import { checked, secondsToNextCheck } from "./looks.ts";

test("sends of which nothing is heard are looked at less and less often, every 10 s at least", () => {
  let looked = checked([5, 3], 0, undefined);
  const pauses = [0, 9_000, 20_000, 59_000, 100_000, 86_400_000].map((nowMs) => {
    looked = checked([5, 3], nowMs, looked);
    return secondsToNextCheck(looked, nowMs);
  });
  expect(pauses).toEqual([1, 1, 2, 5, 10, 10]);
});

test("an outcome has the next look come after a second again", () => {
  const quiet = checked([5, 3], 0, undefined);
  expect(secondsToNextCheck(checked([5, 2], 90_000, quiet), 90_000)).toBe(1);
  expect(secondsToNextCheck(checked([5], 90_000, quiet), 90_000)).toBe(1);
  expect(secondsToNextCheck(quiet, -5_000), "a clock that went back").toBe(1);
});
