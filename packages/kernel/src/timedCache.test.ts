import { expect, test } from "vitest";
import { createTimedCache } from "./timedCache.ts";

const at = { nowMs: 0 };
const clock = { monotonicMs: () => at.nowMs };

test("an entry counts until its time is over, and again when it is set again", () => {
  const cache = createTimedCache<string, number>({ ttlMs: 100, entriesMax: 10, clock });
  cache.set("a", 1);
  at.nowMs += 99;
  expect(cache.fresh("a")).toBe(1);
  at.nowMs += 1;
  expect(cache.fresh("a")).toBeUndefined();
  cache.set("a", 2);
  expect(cache.fresh("a")).toBe(2);
  cache.delete("a");
  expect(cache.fresh("a")).toBeUndefined();
});

test("a full cache gives up the entry that was set first", () => {
  const cache = createTimedCache<number, number>({ ttlMs: 100, entriesMax: 2, clock });
  cache.set(1, 1);
  cache.set(2, 2);
  cache.set(1, 1);
  cache.set(3, 3);
  expect([1, 2, 3].map((key) => cache.fresh(key))).toEqual([1, undefined, 3]);
});

test("an entry is there to go on with when it is no longer fresh", () => {
  const cache = createTimedCache<string, number>({ ttlMs: 100, entriesMax: 10, clock });
  cache.set("a", 1);
  at.nowMs += 1_000;
  expect([cache.fresh("a"), cache.last("a"), cache.last("b")]).toEqual([undefined, 1, undefined]);
  expect([...cache.values()]).toEqual([1]);
});

test("an entry is as old as what it says, not as its arrival", () => {
  const cache = createTimedCache<string, number>({ ttlMs: 100, entriesMax: 10, clock });
  cache.set("a", 1, at.nowMs - 60);
  at.nowMs += 40;
  expect(cache.fresh("a")).toBeUndefined();
});
