import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, startService, storedTime } from "../service/running.ts";
import { AT, seedContacts, versionAt } from "../service/seed.ts";

/** Few enough that the store keeps their set as it came. */
const SIZES = [5, 11] as const;
const PER_PAGE = 4;
const cidOf = (n: number) => n.toString(16).padStart(24, "0");

let service: Running;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Contacts whose audience joins them one by one in another order than that of their creation, as partitions bring them. */
async function world(size: number) {
  const { account } = await service.account();
  const key = await service.key(account, { scopes: ["read", "write", "admin"] });
  const numbers = Array.from({ length: size }, (_, n) => 1_000 * account.number + n + 1);
  await seedContacts(
    service.postgres,
    account,
    numbers.map((number) => ({ number, cid: cidOf(number), attributes: { score: 1 } })),
  );
  const time = storedTime(AT);
  const stamp = { version: versionAt(AT), revision: 1 };
  const times = { created_at: time, modified_at: time, merged_into: 0, deleted: 0 };
  const rows = numbers.map((contact) => ({ contact, cid: cidOf(contact), ...times, ...stamp }));
  await service.insert("contacts_current", account, rows);
  const rules = numbers.toReversed().map((number) => ({ field: "cID", op: "eq", value: cidOf(number) }));
  const audience = { key: "all", name: "All", criteria: { or: rules } };
  expect((await service.call(key, "/v2/audiences", { method: "POST", body: audience })).status).toBe(201);
  const get = async (query: string) => (await service.call(key, `/v2/contacts?audience-key=all&${query}`)).body;
  return { get, cids: numbers.map(cidOf) };
}

type Get = Awaited<ReturnType<typeof world>>["get"];
const cidsOf = (body: { data: { cID: string }[] }) => body.data.map(({ cID }) => cID);

async function byCursor(get: Get, direction: string): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const body = await get(`per_page=${PER_PAGE}&sort_dir=${direction}${cursor}`);
    seen.push(...cidsOf(body));
    if (body.pagination.next_cursor === null) return seen;
    cursor = `&cursor=${encodeURIComponent(body.pagination.next_cursor)}`;
  }
}

async function byPage(get: Get, direction: string): Promise<string[]> {
  const seen: string[] = [];
  for (let page = 1; ; page += 1) {
    const body = await get(`per_page=${PER_PAGE}&sort_dir=${direction}&page=${page}&return_count=true`);
    seen.push(...cidsOf(body));
    if (page >= body.pagination.last_page) return seen;
  }
}

describe("a search whose contacts came out of order", () => {
  test.each(SIZES)("shows each of %i once, in the order of creation, by cursor and by page", async (size) => {
    const { get, cids } = await world(size);
    expect(cidsOf(await get("per_page=100"))).toEqual(cids);
    expect(await byCursor(get, "asc")).toEqual(cids);
    expect(await byCursor(get, "desc")).toEqual(cids.toReversed());
    expect(await byPage(get, "asc")).toEqual(cids);
    expect(await byPage(get, "desc")).toEqual(cids.toReversed());
  });
});
