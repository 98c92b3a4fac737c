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
  const cache = createAccountCache(accounts.find, clock);
  for (let time = 0; time < 3; time++) {
    expect([await cache.byId(account.id), await cache.byId(nobody)]).toEqual([account, undefined]);
  }
  expect(accounts.asked).toEqual([account.id, nobody]);
  accounts.name = "renamed";
  clock.advance(1_000);
  expect(await cache.byId(account.id)).toMatchObject({ name: "renamed" });
});

test("with the store away a known account goes on, and another is a 503", async () => {
  const [clock, accounts] = [manualClock(), store()];
  const cache = createAccountCache(accounts.find, clock);
  await cache.byId(account.id);
  accounts.isAway = true;
  clock.advance(60_000);
  expect(await cache.byId(account.id)).toEqual(account);
  await expect(cache.byId(nobody)).rejects.toMatchObject({ status: 503, retriable: true });
});

test("what is no account's id is not asked for", async () => {
  const accounts = store();
  expect(await createAccountCache(accounts.find, manualClock()).byId("../../etc")).toBeUndefined();
  expect(accounts.asked).toEqual([]);
});
