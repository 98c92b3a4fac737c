import { manualClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { keepFor } from "./keptAnswer.ts";

function setUp() {
  const clock = manualClock(0);
  const store = { asked: 0, isAway: false, held: Promise.resolve() };
  const read = async () => {
    store.asked += 1;
    await store.held;
    if (store.isAway) throw new Error("away");
    return store.asked;
  };
  return { clock, store, ask: keepFor({ read, keptMs: 1_000, timeoutMs: 50, clock }) };
}

test("all that ask in a second get the same answer, also while it is being read, and also a failure", async () => {
  const { clock, store, ask } = setUp();
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  clock.advance(999);
  expect(await ask()).toBe(1);
  store.isAway = true;
  clock.advance(1);
  await expect(Promise.all([ask(), ask()])).rejects.toThrow("away");
  await expect(ask()).rejects.toThrow("away");
  expect(store.asked).toBe(2);
  store.isAway = false;
  clock.advance(1_000);
  expect(await ask()).toBe(3);
});

test("a store that does not answer is asked again after its time", async () => {
  const { clock, store, ask } = setUp();
  store.held = new Promise(() => undefined);
  await expect(ask()).rejects.toThrow();
  store.held = Promise.resolve();
  clock.advance(1_000);
  expect(await ask()).toBe(2);
});
