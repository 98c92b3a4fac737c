import { expect, test } from "vitest";
import { createFetchInterval } from "./kafkaSource.ts";

function waitsAt(intervalMs: number) {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const rests: number[] = [];
  const wait = createFetchInterval(intervalMs, clock, async (ms) => rests.push(ms));
  return {
    async at(nowMs: number): Promise<number | undefined> {
      clock.nowMs = nowMs;
      await wait();
      return rests.pop();
    },
  };
}

test("all batches of a fetch wait for the same end, and the next fetch begins an interval of its own", async () => {
  const waits = waitsAt(50);
  expect(await waits.at(1_000)).toBe(50);
  expect(await waits.at(1_010)).toBe(40);
  expect(await waits.at(1_050)).toBe(50);
  expect(await waits.at(9_000)).toBe(50);
});

test("an interval of nothing waits for nothing", async () => {
  const waits = waitsAt(0);
  expect(await waits.at(1_000)).toBeUndefined();
  expect(await waits.at(1_000)).toBeUndefined();
});
