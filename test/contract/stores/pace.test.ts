import { randomBytes } from "node:crypto";
import { deleteIdlePace, type PaceAsk, type PaceGroup, slowDown, takeTokens } from "@headwater/messaging/pace/pace";
import { deletePace, transports } from "@headwater/messaging/transports/postgres";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "./fresh.ts";

const SENDERS = 3;
let fresh: Fresh<Postgres>;
beforeAll(async () => {
  fresh = await freshPostgres();
});
afterAll(() => fresh.drop());

const newTransport = () => randomBytes(12).toString("hex");
type Asked = Omit<PaceAsk, "groups"> & PaceGroup;
const ask = (more: Partial<Asked>): Asked => ({
  account: 1,
  transport: newTransport(),
  rates: {},
  count: 1_000,
  ...more,
});
/** Takes what one group is granted. @param used of it; the rest is free again. */
const take = ({ account, transport, rates, ...group }: Asked, used = Number.POSITIVE_INFINITY) =>
  fresh.store.transaction(async (transaction) => {
    const { atMs = 0, grants, store } = await takeTokens(transaction, { account, transport, rates, groups: [group] });
    const [{ granted, waitMs, turnsInMs } = expect.fail()] = grants;
    await store([Math.min(granted, used)]);
    return { atMs, granted, waitMs, turnsInMs };
  });

describe("senders that ask at the same time", () => {
  test("never get more than a rate in any second of Postgres' clock", async () => {
    const one = ask({ rates: { perSecond: 40 }, count: 7 });
    const bySecond = new Map<number, number>();
    const first = await take(one);
    const sender = async () => {
      for (;;) {
        const grant = await take(one);
        for (const inMs of grant.turnsInMs) {
          const second = Math.floor((grant.atMs + inMs) / 1_000);
          bySecond.set(second, (bySecond.get(second) ?? 0) + 1);
        }
        if (grant.atMs - first.atMs >= 3_000) return;
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    expect(bySecond.size).toBeGreaterThan(3);
    // A whole second between them is used to the last place.
    expect(Math.max(...bySecond.values())).toBe(40);
    for (const count of bySecond.values()) expect(count).toBeLessThanOrEqual(40);
  });

  test("share a window to the last message and wait for it together", async () => {
    const one = ask({ rates: { windows: [{ count: 500, per: { n: 1, unit: "day" } }] }, count: 9 });
    const sender = async () => {
      let sum = 0;
      for (;;) {
        const grant = await take(one);
        if (grant.granted === 0) return sum;
        sum += grant.granted;
      }
    };
    const sums = await Promise.all(Array.from({ length: SENDERS }, sender));
    expect(sums.reduce((all, sum) => all + sum, 0)).toBe(500);
    expect(await take(one)).toMatchObject({ granted: 0, waitMs: expect.closeTo(86_400_000, -8) });
  });
});

test("senders that take several rates in every order use what they store alone, and stop nobody for good", async () => {
  const rates = { perSecond: 100_000, windows: [{ count: 400, per: { n: 1, unit: "day" } }] } as const;
  const one = ask({ rates: { ...rates, perDomain: { "a.example": 100_000, "b.example": 100_000 } } });
  const groups = ["a.example", "b.example", "a.example"].flatMap((domain, index): PaceGroup[] => {
    const message = { id: `m${index % 2}`, perMinute: 10_000 };
    return [
      { domain, count: 3 },
      { domain, message, count: 2 },
    ];
  });
  const sender = async (position: number) => {
    let sum = 0;
    for (let turn = 0; turn < 20; turn++) {
      const asked = (turn + position) % 2 === 0 ? groups : groups.toReversed();
      sum += await fresh.store.transaction(async (transaction) => {
        const { grants, store } = await takeTokens(transaction, { ...one, groups: asked });
        const used = grants.map(({ granted }) => Math.min(granted, 1));
        await store(used);
        return used.reduce((all, count) => all + count, 0);
      });
    }
    return sum;
  };
  const sums = await Promise.all(Array.from({ length: SENDERS }, (_, place) => sender(place)));
  const used = sums.reduce((all, sum) => all + sum, 0);
  expect(used).toBe(SENDERS * 20 * groups.length);
  expect((await take({ ...one, count: 1_000 })).granted).toBe(400 - used);
});

describe("limits", () => {
  test("of a domain and of a message hold beside the transport's, each on its own", async () => {
    const rates = { windows: [{ count: 100, per: { n: 1, unit: "week" } }], perDomain: { "slow.example": 3 } } as const;
    const one = ask({ rates });
    const slow = await take({ ...one, domain: "slow.example" });
    // Turns are given half a second ahead, of which the end of a second is no part.
    expect(slow.granted).toBeGreaterThan(0);
    expect(slow.granted).toBeLessThanOrEqual(3);
    expect((await take({ ...one, domain: "fast.example", message: { id: "m1", perMinute: 20 } })).granted).toBe(20);
    expect((await take({ ...one, domain: "fast.example", message: { id: "m1", perMinute: 20 } })).granted).toBe(0);
    expect((await take({ ...one, domain: "fast.example", message: { id: "m2", perMinute: 10 } })).granted).toBe(10);
    expect((await take({ ...one, domain: "fast.example" })).granted).toBe(70 - slow.granted);
    expect((await take(one)).granted).toBe(0);
  });

  test("of one account and transport are no other's", async () => {
    const rates = { warmup: [{ day: 1, perDay: 5 }] };
    const one = ask({ rates });
    expect((await take(one)).granted).toBe(5);
    expect((await take({ ...one, account: 2 })).granted).toBe(5);
    expect((await take({ ...one, transport: newTransport() })).granted).toBe(5);
    expect((await take(one)).granted).toBe(0);
  });

  test("are none where nothing was set", async () => {
    expect((await take(ask({ domain: "a.example" }))).granted).toBe(1_000);
  });
});

test("a domain that asked for less gets less, and no other domain does", async () => {
  const one = ask({ rates: { perSecond: 40 } });
  await slowDown(fresh.store, { ...one, domain: "slow.example" });
  const slow = (await take({ ...one, domain: "slow.example" })).granted;
  expect(slow).toBeGreaterThan(0);
  expect(slow).toBeLessThan(30);
  const without = ask({});
  await slowDown(fresh.store, { ...without, domain: "slow.example" });
  expect((await take({ ...without, domain: "slow.example" })).granted).toBeLessThan(20);
  expect((await take({ ...without, domain: "fast.example" })).granted).toBe(1_000);
});

test("counts go with their transport, and those of idle domains after a day", async () => {
  const one = ask({ rates: { perSecond: 40, perDomain: { "a.example": 5 } }, domain: "a.example" });
  const rows = () =>
    fresh.store.query({ text: "SELECT gauge FROM pace WHERE transport = $1 ORDER BY gauge" }, [one.transport]);
  await take(one);
  await deleteIdlePace(fresh.store);
  expect(await rows()).toEqual([{ gauge: "" }, { gauge: "d:a.example" }]);
  await fresh.store.execute({ text: "UPDATE pace SET updated_at = 0 WHERE transport = $1" }, [one.transport]);
  await deleteIdlePace(fresh.store);
  expect(await rows()).toEqual([{ gauge: "" }]);
  const members = {
    name: one.transport,
    channel: "email",
    type: "log",
    settings: "{}",
    isDefault: false,
    enabled: true,
  } as const;
  await fresh.store.transaction(async (transaction) => {
    const name = { account: 1, key: one.transport };
    await transports.insert(transaction, name, members, 0);
    const transport = await transports.lock(transaction, name);
    if (transport !== undefined) await deletePace(transaction, transport);
  });
  expect(await rows()).toEqual([]);
});
