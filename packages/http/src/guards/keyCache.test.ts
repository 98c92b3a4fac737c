import { defaultSettings } from "@headwater/contracts";
import { createLogger, hashApiKey, manualClock } from "@headwater/kernel";
import { describe, expect, it } from "vitest";
import type { Caller } from "./caller.ts";
import { createKeyCache } from "./keyCache.ts";

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const logger = createLogger({ name: "test", level: "silent" });

function setUp() {
  const clock = manualClock(1_000_000);
  const keys = new Map<string, Caller>();
  const store = { isAway: false, lookups: 0, held: Promise.resolve() };
  const cache = createKeyCache({
    logger,
    clock,
    ttlMs: 1_000,
    find: async (hash) => {
      store.lookups += 1;
      if (store.isAway) throw new Error("the store is away");
      const found = keys.get(hash);
      await store.held;
      return found;
    },
  });
  const add = (key: string, more: Partial<Caller> = {}) =>
    keys.set(hashApiKey(key), { kind: "key", id: key, name: key, account, scopes: ["intake"], ...more });
  return { clock, keys, store, cache, add };
}

describe("keys", () => {
  it("are looked up once and then known at once", async () => {
    const { cache, add, store } = setUp();
    add("k");
    expect(await cache.find("k")).toMatchObject({ id: "k" });
    expect(cache.find("k")).toMatchObject({ id: "k" });
    expect(store.lookups).toBe(1);
  });

  it("are refreshed in the background, so that a busy key never waits", async () => {
    const { cache, add, store, clock } = setUp();
    add("k");
    await cache.find("k");
    clock.advance(600);
    expect(cache.find("k")).toMatchObject({ id: "k" });
    expect(store.lookups).toBe(2);
  });

  it("revoked keys are refused after the time they are kept", async () => {
    const { cache, add, keys, clock } = setUp();
    add("k");
    await cache.find("k");
    keys.clear();
    clock.advance(1_001);
    expect(await cache.find("k")).toBeUndefined();
    expect(cache.find("k")).toBeUndefined();
  });

  it("go on while the store is away, and are refused when it is back and has revoked them", async () => {
    const { cache, add, keys, store, clock } = setUp();
    add("k");
    await cache.find("k");
    store.isAway = true;
    clock.advance(5_000);
    expect(await cache.find("k")).toMatchObject({ id: "k" });
    clock.advance(3_600_000);
    expect(await cache.find("k")).toMatchObject({ id: "k" });
    store.isAway = false;
    keys.clear();
    clock.advance(2_000);
    const later = () => {
      clock.advance(600);
      return cache.find("k");
    };
    await expect.poll(later).toBeUndefined();
  });

  it("unknown keys are 503 while the store is away, because they cannot be judged", async () => {
    const { cache, store } = setUp();
    store.isAway = true;
    await expect(cache.find("k")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503 });
  });

  it("unknown keys are not looked up again and again", async () => {
    const { cache, store, clock, add } = setUp();
    expect(await cache.find("k")).toBeUndefined();
    expect(cache.find("k")).toBeUndefined();
    expect(store.lookups).toBe(1);
    add("k");
    clock.advance(1_001);
    expect(await cache.find("k")).toMatchObject({ id: "k" });
  });

  it("end at their expiry, cached or not", async () => {
    const { cache, clock, add } = setUp();
    add("k", { expiresAtMs: clock.nowMs() + 100 });
    expect(await cache.find("k")).toMatchObject({ id: "k" });
    clock.advance(100);
    expect(cache.find("k")).toBeUndefined();
  });

  it("are looked up once for calls that come together", async () => {
    const { cache, add, store } = setUp();
    add("k");
    await Promise.all([cache.find("k"), cache.find("k"), cache.find("k")]);
    expect(store.lookups).toBe(1);
  });

  it("keys that were revoked during their lookup are not kept longer for it", async () => {
    const { cache, add, keys, store, clock } = setUp();
    add("k");
    const { promise, resolve } = Promise.withResolvers<void>();
    store.held = promise;
    const first = cache.find("k");
    await expect.poll(() => store.lookups).toBe(1);
    keys.clear();
    clock.advance(900);
    resolve();
    expect(await first).toMatchObject({ id: "k" });
    clock.advance(101);
    expect(await cache.find("k")).toBeUndefined();
  });

  it("changed keys are forgotten at once, and a lookup that ran meanwhile is not believed", async () => {
    const { cache, add, keys, store } = setUp();
    add("k");
    await cache.find("k");
    keys.clear();
    cache.changed(hashApiKey("k"));
    expect(await cache.find("k")).toBeUndefined();

    add("l");
    const { promise, resolve } = Promise.withResolvers<void>();
    store.held = promise;
    const early = cache.find("l");
    await expect.poll(() => store.lookups).toBe(3);
    keys.clear();
    cache.changed(hashApiKey("l"));
    resolve();
    await early;
    expect(await cache.find("l")).toBeUndefined();
  });

  it("keys that changed while the store is away are refused, because what was known of them is no longer true", async () => {
    const { cache, add, store } = setUp();
    add("k");
    await cache.find("k");
    store.isAway = true;
    cache.changed(hashApiKey("k"));
    await expect(cache.find("k")).rejects.toMatchObject({ status: 503 });
  });

  it("are refreshed, and found for the first time, however many made-up ones are being looked up", async () => {
    const clock = manualClock(1_000_000);
    const held = Promise.withResolvers<void>();
    const key: Caller = { kind: "key", id: "k", name: "k", account, scopes: ["intake"] };
    const isOurs = (hash: string) => hash === hashApiKey("k") || hash === hashApiKey("l");
    let questions = 0;
    const cache = createKeyCache({
      logger,
      clock,
      find: async (hash) => (isOurs(hash) ? key : undefined),
      findMany: async (hashes) => {
        questions += 1;
        if (!hashes.some(isOurs)) await held.promise;
        return new Map(hashes.filter(isOurs).map((hash) => [hash, key]));
      },
    });
    await cache.find("k", "203.0.113.7");
    const guesses = Array.from({ length: 3_000 }, (_, n) => cache.find(`guess-${n}`, "203.0.113.7"));
    const other = cache.find("l", "203.0.113.8");
    const same = cache.find("l", "203.0.113.7");
    clock.advance(1_001);
    expect(await cache.find("k", "203.0.113.7")).toMatchObject({ id: "k" });
    held.resolve();
    expect([await other, await same]).toMatchObject([{ id: "k" }, { id: "k" }]);
    expect((await Promise.all(guesses)).every((found) => found === undefined)).toBe(true);
    expect(questions).toBeLessThan(20);
  });

  it("show when they were used last, once they were", async () => {
    const { cache, add, clock } = setUp();
    add("k");
    add("ended", { expiresAtMs: clock.nowMs() + 100 });
    await cache.find("k");
    await cache.find("ended");
    clock.advance(400);
    cache.find("k");
    cache.find("ended");
    const [k, ended] = [
      { id: "k", usedAtMs: 1_000_400 },
      { id: "ended", usedAtMs: 1_000_000 },
    ];
    expect(cache.usedSince(1_000_000)).toEqual([ended, k]);
    expect(cache.usedSince(1_000_001)).toEqual([k]);
    expect(cache.usedSince(1_000_401)).toEqual([]);
  });
});
