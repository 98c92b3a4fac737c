import { manualClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createStoreClock } from "./storeClock.ts";

const STORE_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;

test("the clock of the store goes on between two looks, wherever the wall clock of the process jumps", async () => {
  const clock = manualClock(STORE_MS + 2 * HOUR_MS);
  const store = createStoreClock(async () => STORE_MS, clock);
  await store.refresh();
  expect(store.nowMs()).toBe(STORE_MS);
  clock.advance(400);
  clock.setNowMs(STORE_MS - 3 * HOUR_MS);
  expect(store.nowMs()).toBe(STORE_MS + 400);
});

test("a look a second is enough, and each one sets the clock anew", async () => {
  const clock = manualClock(0);
  let [storeMs, checks] = [STORE_MS, 0];
  const read = async () => {
    checks += 1;
    return storeMs;
  };
  const store = createStoreClock(read, clock);
  for (let tenths = 0; tenths < 25; tenths++) {
    await store.refresh();
    clock.advance(100);
  }
  expect(checks).toBe(3);
  storeMs = STORE_MS + 2 * HOUR_MS;
  clock.advance(1_000);
  await store.refresh();
  expect(store.nowMs()).toBe(STORE_MS + 2 * HOUR_MS);
});

test("before the first look the process has its own time", () => {
  const store = createStoreClock(async () => STORE_MS, manualClock(5));
  expect(store.nowMs()).toBe(5);
});
