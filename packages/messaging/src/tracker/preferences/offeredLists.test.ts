import { createAccount, updateAccount } from "@headwater/accounts/accounts/accounts";
import { accountSettings } from "@headwater/contracts";
import { manualClock } from "@headwater/kernel";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NamedToken } from "../events/messageEvent.ts";
import { createOfferedLists } from "./offeredLists.ts";

const ID = "65f0c0ffee65f0c0ffee0001";
const clock = manualClock(Date.UTC(2026, 0, 9));
let memory: MemoryPostgres;
let account: number;
const settings = (more: object) =>
  accountSettings.parse({ messaging: { preferenceLists: ["VIP", "news", "deals"] }, ...more });
const tokenOf = (contact: number): NamedToken => ({
  ...{ kind: "preferences", type: "b", account, contact, n: 1, message: "m" },
  names: { accountId: ID, cID: "c", channel: "email", composedAt: 0 },
});
const reader = () => createOfferedLists(memory.postgres, clock);

beforeAll(async () => {
  memory = await startMemoryPostgres();
  const { postgres } = memory;
  account = (await createAccount(postgres, { id: ID, name: "shop", settings: settings({}) })).number;
  const text = {
    list: "INSERT INTO lists (account, id, name, name_key, display_name, created_at) VALUES ($1, $2, $3, lower($3), $4, 0)",
    contact: `INSERT INTO contacts (account, number, cid, merged_into, created_at, modified_at, version, revision, doc)
      VALUES ($1, $2, $3, $4, 0, 0, gen_random_uuid(), 1, '{}')`,
    member: `INSERT INTO memberships (account, list, contact, present, joined_at, version)
      VALUES ($1, $2, $3, $4, 0, gen_random_uuid())`,
  };
  const put = (of: keyof typeof text, values: readonly (string | number | boolean | null)[]) =>
    postgres.execute({ text: text[of] }, [account, ...values]);
  await put("list", [1, "vip", "Our best customers"]);
  await put("list", [2, "deals", "deals"]);
  await put("list", [3, "inner", "inner"]);
  await put("contact", [1, "c1", null]);
  await put("contact", [2, "c2", 1]);
  for (const list of [1, 3]) await put("member", [list, 1, true]);
  await put("member", [2, 1, false]);
});
afterAll(() => memory.stop());

test("the lists of the account are offered in its order, by the names that people know", async () => {
  expect(await reader().offered(tokenOf(1))).toEqual([
    { name: "VIP", displayName: "Our best customers" },
    { name: "news", displayName: "news" },
    { name: "deals", displayName: "deals" },
  ]);
});

test("a contact, and one that was merged into it, is on its lists; nobody else is on any", async () => {
  const lists = await reader().offered(tokenOf(1));
  for (const contact of [1, 2]) expect(await reader().joined(tokenOf(contact), lists)).toEqual(new Set(["VIP"]));
  expect(await reader().joined(tokenOf(9), lists)).toEqual(new Set());
  expect(await reader().joined({ ...tokenOf(1), account: account + 1 }, lists)).toEqual(new Set());
});

test("an account that makes no lists by name offers those that it has; a change holds after five seconds", async () => {
  const lists = reader();
  expect(await lists.offered(tokenOf(1))).toHaveLength(3);
  await updateAccount(memory.postgres, ID, { name: "shop", settings: settings({ strictLists: true }) });
  expect(await lists.offered(tokenOf(1))).toHaveLength(3);
  clock.advance(5_001);
  expect((await lists.offered(tokenOf(1))).map(({ name }) => name)).toEqual(["VIP", "deals"]);
});

test("an account that is not there offers nothing", async () => {
  expect(await reader().offered({ ...tokenOf(1), account: account + 1 })).toEqual([]);
});
