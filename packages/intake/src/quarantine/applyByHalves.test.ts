import { expect, test } from "vitest";
import { applyByHalves, type HalvedRun } from "./applyByHalves.ts";

class Poison extends Error {}
class Away extends Error {}

/** Applies a range to a list, whole or not at all. @param fails of the items of a range, behind those applied before it. */
function listRun(count: number, fails: (range: readonly number[], before: readonly number[]) => boolean) {
  const applied: number[] = [];
  const refused: number[] = [];
  let trials = 0;
  const run: HalvedRun = {
    apply: async ({ from, to, isRefused }) => {
      trials++;
      if (isRefused) return;
      const range = Array.from({ length: to - from }, (_, position) => from + position);
      if (fails(range, applied)) throw new Poison();
      applied.push(...range);
    },
    isPoison: (error) => error instanceof Poison,
    refused: (index) => void refused.push(index),
  };
  const all = Array.from({ length: count }, (_, index) => index);
  return { run, applied, refused, all, trials: () => trials };
}

test.each([[[0]], [[99]], [[42]], [[3, 4, 70]], [[]]])(
  "%j of a hundred are refused alone, and all others applied in order",
  async (poison) => {
    const { run, applied, refused, all } = listRun(100, (range) => poison.some((index) => range.includes(index)));
    await applyByHalves(run, 100, 100);
    expect(refused).toEqual(poison);
    expect(applied).toEqual(all.filter((index) => !poison.includes(index)));
  },
);

test("one poison item of 2,000 costs a few dozen trials, and not one an item", async () => {
  const { run, trials } = listRun(2_000, (range) => range.includes(1_234));
  await applyByHalves(run, 2_000, 1_000);
  expect(trials()).toBeLessThan(2 * Math.log2(2_000) + 3);
});

test("items that fail only in one statement are all applied when they are parted", async () => {
  const { run, applied, refused, all } = listRun(8, (range) => range.includes(1) && range.includes(6));
  await applyByHalves(run, 8, 8);
  expect([applied, refused]).toEqual([all, []]);
});

test("the last of the items that fail one behind the other is refused", async () => {
  const { run, refused } = listRun(8, (range, before) => {
    const seen = [...before, ...range];
    return seen.includes(1) && seen.includes(6);
  });
  await applyByHalves(run, 8, 8);
  expect(refused).toEqual([6]);
});

test("an error that is no item's ends the run at once", async () => {
  const { run, refused } = listRun(4, () => false);
  const away: HalvedRun = {
    ...run,
    apply: async () => {
      throw new Away();
    },
  };
  await expect(applyByHalves(away, 4, 2)).rejects.toBeInstanceOf(Away);
  expect(refused).toEqual([]);
});

test("an error that an item meets even when it is refused is none of its: nobody is refused", async () => {
  const { run, refused } = listRun(4, () => true);
  const always: HalvedRun = {
    ...run,
    apply: async () => {
      throw new Poison("the offset cannot be stored");
    },
  };
  await expect(applyByHalves(always, 4, 2)).rejects.toThrow("the offset cannot be stored");
  expect(refused).toEqual([]);
});

test("an error thrown at a refusal ends the run: a fault of the system stops it", async () => {
  const { run, applied } = listRun(8, () => true);
  let count = 0;
  const suspecting: HalvedRun = {
    ...run,
    refused: () => {
      count++;
      if (count === 3) throw new Away();
    },
  };
  await expect(applyByHalves(suspecting, 8, 4)).rejects.toBeInstanceOf(Away);
  expect(applied).toEqual([]);
});
