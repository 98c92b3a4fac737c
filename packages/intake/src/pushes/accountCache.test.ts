import { type Account, defaultSettings } from "@headwater/contracts";
import { manualClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createAccountCache } from "./accountCache.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const nobody = "b".repeat(24);

function store() {
  const state = {
    asked: [] as string[],
    isAway: false,
    name: "test",
    findMany: async (ids: readonly string[]): Promise<Map<string, Account>> => {
      const found = await Promise.all(ids.map((id) => state.find(id)));
      return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.id, one] as const])));
    },
    find: async (id: string) => {
      state.asked.push(id);
      if (state.isAway) throw new Error("ECONNREFUSED");
      return id === account.id ? { ...account, name: state.name } : undefined;
    },
  };
  return state;
}

test("an account, and that there is none, is asked for once a second", async () => {
  const [clock, accounts] = [manualClock(), store()];
  const cache = createAccountCache(accounts, clock);
  for (let time = 0; time < 3; time++) {
    expect([await cache.byId(account.id), await cache.byId(nobody)]).toEqual([account, undefined]);
  }
  expect(accounts.asked).toEqual([account.id, nobody]);
  accounts.name = "renamed";
  clock.advance(1_001);
  expect(await cache.byId(account.id)).toMatchObject({ name: "renamed" });
});

test("a known account works while the store is away, and an unknown one is 503", async () => {
  const [clock, accounts] = [manualClock(), store()];
  const cache = createAccountCache(accounts, clock);
  await cache.byId(account.id);
  accounts.isAway = true;
  clock.advance(60_000);
  expect(await cache.byId(account.id)).toEqual(account);
  await expect(cache.byId(nobody)).rejects.toMatchObject({ status: 503, retriable: true });
});

test("what is no account's id is not asked for", async () => {
  const accounts = store();
  expect(await createAccountCache(accounts, manualClock()).byId("../../etc")).toBeUndefined();
  expect(accounts.asked).toEqual([]);
});

test("made-up ids without end hold nobody up: they are asked for together", async () => {
  const accounts = store();
  let questions = 0;
  const findMany = (ids: readonly string[]) => {
    questions += 1;
    return accounts.findMany(ids);
  };
  const cache = createAccountCache({ find: accounts.find, findMany }, manualClock());
  const madeUp = Array.from({ length: 1_000 }, (_, n) => cache.byId(n.toString(16).padStart(24, "0"), "203.0.113.7"));
  const own = cache.byId(account.id, "203.0.113.8");
  expect((await Promise.all(madeUp)).every((found) => found === undefined)).toBe(true);
  expect([await own, questions]).toEqual([account, 4]);
});
