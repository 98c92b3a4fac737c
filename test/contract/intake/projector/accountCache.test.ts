import { createAccount } from "@headwater/accounts/accounts/accounts";
import { accountSettings } from "@headwater/contracts";
import { createAccountCache } from "@headwater/intake/state/accountCache";
import { manualClock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import { type AttributeMembers, attributes } from "@headwater/records/attributes/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshPostgres } from "../../stores/fresh.ts";

const HOUR_MS = 3_600_000;
const ID = "5".repeat(24);
const OTHER_ID = "6".repeat(24);

let postgres: Postgres;
let drop: () => Promise<void>;
let account: number;
let other: number;
const clock = manualClock(HOUR_MS);
beforeAll(async () => {
  ({ store: postgres, drop } = await freshPostgres());
  const settings = accountSettings.parse({});
  account = (await createAccount(postgres, { id: ID, name: "cache", settings })).number;
  other = (await createAccount(postgres, { id: OTHER_ID, name: "other", settings })).number;
});
afterAll(() => drop());

async function declare(transaction: Transaction, key: string, type: string, of = account): Promise<void> {
  const members: AttributeMembers = {
    ...{ type, name: key, indexed: false, unique: false, validators: null, maxItems: null },
    ...{ updateUnauthenticated: false, retainOnDestroy: null },
  };
  const name = { account: of, key };
  const isNew = (await attributes.insert(transaction, name, members, clock.nowMs())) !== undefined;
  if (!isNew) await attributes.update(transaction, name, members, clock.nowMs());
}

async function typeOf(cache: ReturnType<typeof createAccountCache>, key: string, id = ID) {
  return (await cache.byId(id))?.attributes?.get(key)?.type;
}

test("a record meets the definitions that were there when it was appended: made, changed and deleted", async () => {
  const cache = createAccountCache(postgres, clock);
  expect(await typeOf(cache, "size")).toBeUndefined();
  await postgres.transaction((transaction) => declare(transaction, "size", "number"));
  expect(await typeOf(cache, "size")).toBeUndefined();
  await cache.catchUp(clock.nowMs());
  expect(await typeOf(cache, "size")).toBe("number");
  await postgres.transaction((transaction) => declare(transaction, "size", "date"));
  await cache.catchUp(clock.nowMs());
  expect(await typeOf(cache, "size")).toBe("date");
  await postgres.transaction((transaction) => attributes.delete(transaction, { account, key: "size" }, clock.nowMs()));
  await cache.catchUp(clock.nowMs());
  expect(await typeOf(cache, "size")).toBeUndefined();
});

test("a definition whose transaction began before an earlier look is seen once it is there", async () => {
  const cache = createAccountCache(postgres, clock);
  const committed = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const slow = postgres.transaction(async (transaction) => {
    await declare(transaction, "slow", "number");
    written.resolve();
    await committed.promise;
  });
  await written.promise;
  await postgres.transaction((transaction) => declare(transaction, "quick", "number", other));
  await cache.catchUp(clock.nowMs());
  expect([await typeOf(cache, "slow"), await typeOf(cache, "quick", OTHER_ID)]).toEqual([undefined, "number"]);
  committed.resolve();
  await slow;
  await cache.catchUp(clock.nowMs());
  expect(await typeOf(cache, "slow")).toBe("number");
});

test("records of a backlog, appended before the last look, ask for no other", async () => {
  const cache = createAccountCache(postgres, clock);
  await cache.catchUp(clock.nowMs());
  expect(await typeOf(cache, "later")).toBeUndefined();
  await postgres.transaction((transaction) => declare(transaction, "later", "number"));
  await cache.catchUp(clock.nowMs() - 2_000);
  expect(await typeOf(cache, "later")).toBeUndefined();
  await cache.catchUp(clock.nowMs() - 500);
  expect(await typeOf(cache, "later")).toBe("number");
});
