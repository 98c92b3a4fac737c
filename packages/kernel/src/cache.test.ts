import { expect, test } from "vitest";
import { createCache } from "./cache.ts";

const at = { nowMs: 1_000 };
const clock = { monotonicMs: () => at.nowMs };

test("an entry counts until its time is over, and again when it is set again", () => {
  const cache = createCache<string, string>({ ttlMs: 100, entriesMax: 10, clock });
  cache.set("a", "1");
  at.nowMs += 99;
  expect(cache.get("a")).toBe("1");
  at.nowMs += 2;
  expect(cache.get("a")).toBeUndefined();
  cache.set("a", "2");
  expect(cache.get("a")).toBe("2");
});

test("a full cache gives up the entry that was not asked for for longest", () => {
  const cache = createCache<number, string>({ ttlMs: 100, entriesMax: 2, clock });
  cache.set(1, "1");
  cache.set(2, "2");
  cache.get(1);
  cache.set(3, "3");
  expect([1, 2, 3].map((key) => cache.get(key))).toEqual(["1", undefined, "3"]);
});

test("an entry is there to go on with when it is no longer fresh, also after somebody asked for a fresh one", () => {
  const cache = createCache<string, string>({ ttlMs: 100, entriesMax: 10, clock });
  cache.set("a", "1");
  at.nowMs += 1_000;
  expect([cache.get("a"), cache.get("a", { allowStale: true })]).toEqual([undefined, "1"]);
});

test("an entry is as old as what it says, not as its arrival", () => {
  const cache = createCache<string, string>({ ttlMs: 100, entriesMax: 10, clock });
  cache.set("a", "1", { start: at.nowMs - 60 });
  at.nowMs += 41;
  expect(cache.get("a")).toBeUndefined();
});

test("an entry without a time stays", () => {
  const cache = createCache<string, string>({ entriesMax: 10, clock });
  cache.set("a", "1");
  at.nowMs += 1e12;
  expect(cache.get("a")).toBe("1");
});
