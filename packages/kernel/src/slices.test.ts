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

test("however much work is in slices, a turn of the loop is not longer for it, and all of it comes to its end", async () => {
  const works = Array.from({ length: 20 }, () => runInSlices(busy(20, 2)));
  let isOver = false;
  const all = Promise.all(works).finally(() => {
    isOver = true;
  });
  const turns: number[] = [];
  while (!isOver) {
    const { user } = process.threadCpuUsage();
    await nextTurn();
    turns.push((process.threadCpuUsage().user - user) / 1_000);
  }
  expect(await all).toEqual(works.map(() => 20));
  // One slice of 4 ms and a step of 2; a slice of each work would be 80 ms.
  expect(turns.toSorted((a, b) => b - a)[Math.floor(turns.length / 20)]).toBeLessThan(40);
});

test("small work that waits shares a slice, and one that throws lets the others go on", async () => {
  const order: string[] = [];
  function* small(name: string): Sliced<string> {
    order.push(name);
    yield;
    if (name === "b") throw new Error("broken");
    return name;
  }
  const large = runInSlices(busy(4, 2));
  const [a, b, c] = await Promise.allSettled(["a", "b", "c"].map((name) => runInSlices(small(name))));
  expect([a?.status, b?.status, c?.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(order).toEqual(["a", "b", "c"]);
  expect(await large).toBe(4);
});
