import type { Sliced } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createJudgingTurns } from "./judgingTurns.ts";

const KIB = 1024;

/** Work of one piece. */
function* once<Result>(run: () => Result): Sliced<Result> {
  yield;
  return run();
}

test("a small body is judged at once, however many large ones wait", async () => {
  const turns = createJudgingTurns();
  let large = 0;
  const waiting = Array.from({ length: 20 }, () => turns.take("hostile", 10_000 * KIB, () => once(() => (large += 1))));
  let isValidated = false;
  const small = turns.take("honest", KIB, () =>
    once(() => {
      isValidated = true;
    }),
  );
  expect([isValidated, large]).toEqual([true, 0]);
  await small;
  await Promise.all(waiting);
});

test("one large body is judged in each turn of the loop, and an account's small share comes before another's many", async () => {
  const turns = createJudgingTurns();
  let large = 0;
  const waiting = Array.from({ length: 30 }, () => turns.take("hostile", 10_000 * KIB, () => once(() => (large += 1))));
  const seen: number[] = [];
  const honest = Array.from({ length: 5 }, () => turns.take("honest", 100 * KIB, () => once(() => seen.push(large))));
  await Promise.all(honest);
  expect(Math.max(...seen)).toBeLessThanOrEqual(2);
  await Promise.all(waiting);
  expect(large).toBe(30);
});

test("what judging throws is the caller's, and the next one goes on", async () => {
  const turns = createJudgingTurns();
  const broken = turns.take("a", 100 * KIB, () =>
    once(() => {
      throw new Error("not JSON");
    }),
  );
  const next = turns.take("a", 100 * KIB, () => once(() => "judged"));
  await expect(broken).rejects.toThrow("not JSON");
  await expect(next).resolves.toBe("judged");
});
