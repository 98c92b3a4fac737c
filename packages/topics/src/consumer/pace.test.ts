import { manualClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createPace } from "./pace.ts";

function paced(timesBatch?: number) {
  const clock = manualClock();
  const pace = createPace({ intervalMs: 100, timesBatch, clock });
  /** Takes a turn that begins at a time; returns when it ends. */
  const turnAt = async (ms: number) => {
    clock.advance(ms - clock.monotonicMs());
    let restedMs = 0;
    await pace.turn(async (restMs) => {
      restedMs = restMs;
    });
    return ms + restedMs;
  };
  return { clock, turnAt, pace };
}

test("who comes after a quiet interval waits for nothing, and who comes within it waits for its end", async () => {
  const { turnAt } = paced();
  expect(await turnAt(1_000)).toBe(1_000);
  expect(await turnAt(1_030)).toBe(1_100);
  expect(await turnAt(1_060)).toBe(1_100);
  expect(await turnAt(1_250)).toBe(1_250);
});

test("short batches make short intervals, within the shortest and the longest", async () => {
  const { pace, turnAt } = paced(4);
  expect(await turnAt(1_000)).toBe(1_000);
  pace.took(15);
  expect(await turnAt(1_050)).toBe(1_100);
  expect(await turnAt(1_130)).toBe(1_130);
  expect(await turnAt(1_150)).toBe(1_190);
  pace.took(0);
  expect(await turnAt(1_200)).toBe(1_200);
  expect(await turnAt(1_210)).toBe(1_250);
  pace.took(90);
  expect(await turnAt(1_300)).toBe(1_300);
  expect(await turnAt(1_310)).toBe(1_400);
});

test("all who waited for the end of an interval go together, and begin one interval", async () => {
  const { clock, pace, turnAt } = paced();
  await turnAt(1_000);
  clock.advance(10);
  const over = Promise.withResolvers<void>();
  const turns = [1, 2, 3].map(() => pace.turn(() => over.promise));
  clock.advance(90);
  over.resolve();
  await Promise.all(turns);
  expect(await turnAt(1_130)).toBe(1_200);
});
