import { randomBytes } from "node:crypto";
import { deleteIdlePace, type PaceAsk, slowDown, type TimedGrant, takeTokens } from "@headwater/stores/pace";
import type { Postgres } from "@headwater/stores/postgres";
import { deleteTransport, insertTransport } from "@headwater/stores/transports";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "./fresh.ts";

const SENDERS = 3;
let fresh: Fresh<Postgres>;
beforeAll(async () => {
  fresh = await freshPostgres();
});
afterAll(() => fresh.drop());

const newTransport = () => randomBytes(12).toString("hex");
const ask = (more: Partial<PaceAsk>): PaceAsk => ({
  account: 1,
  transport: newTransport(),
  rates: {},
  count: 1_000,
  ...more,
});
const take = (one: PaceAsk) => takeTokens(fresh.store, one);
const grantedOf = (grant: TimedGrant) => (grant.kind === "granted" ? grant.granted : 0);

describe("senders that ask at the same time", () => {
  test("never get more than a rate in any second of Postgres' clock", async () => {
    const one = ask({ rates: { perSecond: 40 }, count: 7 });
    const bySecond = new Map<number, number>();
    const first = await take(one);
    const sender = async () => {
      for (;;) {
        const grant = await take(one);
        const second = Math.floor(grant.atMs / 1_000);
        bySecond.set(second, (bySecond.get(second) ?? 0) + grantedOf(grant));
        if (second - Math.floor(first.atMs / 1_000) >= 3) return;
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    expect(bySecond.size).toBeGreaterThan(1);
    for (const count of bySecond.values()) expect(count).toBeLessThanOrEqual(40);
  });

  test("share a window to the last message and wait for it together", async () => {
    const one = ask({ rates: { windows: [{ count: 500, per: { n: 1, unit: "day" } }] }, count: 9 });
    const sender = async () => {
      let sum = 0;
      for (;;) {
        const grant = await take(one);
        if (grant.kind === "wait") return sum;
        sum += grant.granted;
      }
    };
    const sums = await Promise.all(Array.from({ length: SENDERS }, sender));
    expect(sums.reduce((all, sum) => all + sum, 0)).toBe(500);
    expect(await take(one)).toMatchObject({ kind: "wait", waitMs: expect.closeTo(86_400_000, -8) });
  });
});

describe("limits", () => {
  test("of a domain and of a message hold beside the transport's, each on its own", async () => {
    const rates = { windows: [{ count: 100, per: { n: 1, unit: "week" } }], perDomain: { "slow.example": 3 } } as const;
    const one = ask({ rates });
    const slow = await take({ ...one, domain: "slow.example" });
    expect(grantedOf(slow)).toBe(3);
    expect(grantedOf(await take({ ...one, domain: "fast.example", message: { id: "m1", perMinute: 20 } }))).toBe(20);
    expect((await take({ ...one, domain: "fast.example", message: { id: "m1", perMinute: 20 } })).kind).toBe("wait");
    expect(grantedOf(await take({ ...one, domain: "fast.example", message: { id: "m2", perMinute: 10 } }))).toBe(10);
    expect(grantedOf(await take({ ...one, domain: "fast.example" }))).toBe(67);
    expect((await take(one)).kind).toBe("wait");
  });

  test("of one account and transport are no other's", async () => {
    const rates = { warmup: [{ day: 1, perDay: 5 }] };
    const one = ask({ rates });
    expect(grantedOf(await take(one))).toBe(5);
    expect(grantedOf(await take({ ...one, account: 2 }))).toBe(5);
    expect(grantedOf(await take({ ...one, transport: newTransport() }))).toBe(5);
    expect((await take(one)).kind).toBe("wait");
  });

  test("are none where nothing was set", async () => {
    expect(grantedOf(await take(ask({ domain: "a.example" })))).toBe(1_000);
  });
});

test("a domain that asked for less gets less, and no other domain does", async () => {
  const one = ask({ rates: { perSecond: 40 } });
  await slowDown(fresh.store, { ...one, domain: "slow.example" });
  const slow = grantedOf(await take({ ...one, domain: "slow.example" }));
  expect(slow).toBeGreaterThan(0);
  expect(slow).toBeLessThan(30);
  const without = ask({});
  await slowDown(fresh.store, { ...without, domain: "slow.example" });
  expect(grantedOf(await take({ ...without, domain: "slow.example" }))).toBeLessThan(20);
  expect(grantedOf(await take({ ...without, domain: "fast.example" }))).toBe(1_000);
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
    await insertTransport(transaction, { account: 1, id: one.transport, ...members }, 0);
    await deleteTransport(transaction, { account: 1, id: one.transport, ...members });
  });
  expect(await rows()).toEqual([]);
});
