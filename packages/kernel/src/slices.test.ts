import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { runAtOnce, runInSlices, type Sliced } from "./slices.ts";

function* busy(steps: number, stepMs: number): Sliced<number> {
  for (let step = 0; step < steps; step++) {
    const endsAt = performance.now() + stepMs;
    while (performance.now() < endsAt);
    yield;
  }
  return steps;
}

test("work in slices lets everything else run between two of them", async () => {
  let turns = 0;
  let isOver = false;
  const working = runInSlices(busy(60, 2)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await nextTurn();
    turns += 1;
  }
  expect(await working).toBe(60);
  expect(turns).toBeGreaterThanOrEqual(4);
});

test("work at once is over when it comes back, and what it throws is thrown", async () => {
  expect(runAtOnce(busy(3, 0))).toBe(3);
  function* broken(): Sliced<never> {
    yield;
    throw new Error("broken");
  }
  expect(() => runAtOnce(broken())).toThrow("broken");
  await expect(runInSlices(broken())).rejects.toThrow("broken");
});
