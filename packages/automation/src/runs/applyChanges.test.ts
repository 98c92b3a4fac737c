import { type Version, versionOf } from "@headwater/contracts";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AT, DAY, HOUR, MINUTE, RunsWorld } from "./testRuns.ts";

let memory: MemoryPostgres;
let world: RunsWorld;
beforeAll(async () => {
  memory = await startMemoryPostgres();
});
beforeEach(async () => {
  world = await RunsWorld.create(memory.postgres);
});
afterAll(() => memory.stop());

const end = { id: "end", type: "exit", config: { name: "through" } };
let offsets = 0;
const versionNow = (): Version =>
  versionOf(world.clock.nowMs(), { lane: 1, partition: 0, offset: ++offsets, place: 0 });
const entered = async () => {
  const rows = await memory.postgres.query<{ contact: number }>(
    { text: "SELECT contact FROM orchestration_runs WHERE account = $1 ORDER BY contact, id" },
    [world.account.number],
  );
  return rows.map(({ contact }) => contact);
};

describe("a list trigger", () => {
  const change = (contact: number, present: boolean, more: object = {}) =>
    world.append("changes.memberships", {
      ...{ account: world.account.number, list: 7, contact, present, joinedAt: AT, version: versionNow(), ...more },
    });

  test("starts who joins or leaves, as it says, and nobody that a merge moved or whose write suppresses triggers", async () => {
    await memory.postgres.execute(
      {
        text: "INSERT INTO lists (account, id, name, name_key, display_name, created_at) VALUES ($1, 7, 'VIP', 'vip', 'VIP', $2)",
      },
      [world.account.number, AT],
    );
    await world.publish({ trigger: { list: { name: "vip", on: "joined" } }, actions: [end] });
    await change(1, true);
    await change(2, false);
    await change(3, true, { merge: true });
    await change(2, true, { suppressTriggers: true });
    await world.settle();
    expect(await entered()).toEqual([1]);
  });
});

describe("an order trigger", () => {
  const order = (orderId: string, contact: number, members: object) =>
    world.append("changes.orders", {
      ...{ account: world.account.number, contact, orderId, version: versionNow(), purchasedAt: AT, status: "paid" },
      ...{ counts: true, currency: "USD", total: "1", order: members },
    });

  test("starts a run once an order, when it first fits, and one for each order", async () => {
    const trigger = { order: { where: [{ field: "status", op: "eq", value: "shipped" }] } };
    await world.publish({ trigger, entry: { reentry: "always" }, actions: [end] });
    await order("o1", 1, { status: "paid" });
    await order("o1", 1, { status: "shipped" });
    await order("o1", 1, { status: "shipped", note: "again" });
    await order("o2", 1, { status: "shipped" });
    await world.settle();
    expect(await entered()).toEqual([1, 1]);
  });
});

describe("a cart trigger", () => {
  const cart = (contact: number, lines: number, more: object = {}) =>
    world.append("changes.carts", {
      ...{ account: world.account.number, contact, version: versionNow(), cartId: "k", lines, expiresAt: null },
      ...{ total: null, cart: { cartID: "k" }, ...more },
    });
  const after = async (ms: number) => {
    world.clock.advance(ms);
    await world.settle();
  };

  test("starts a run once a cart has stayed as it is, and not while it changes or after it was emptied", async () => {
    await world.publish({ trigger: { cart: { idle: { n: 4, unit: "hour" } } }, actions: [end] });
    await cart(1, 1);
    await cart(2, 1);
    await cart(3, 1, { expiresAt: AT + HOUR });
    await world.settle();
    await after(3 * HOUR);
    await cart(1, 2);
    await cart(2, 0);
    await after(2 * HOUR);
    expect(await entered()).toEqual([]);
    await after(2 * HOUR - 1);
    expect(await entered()).toEqual([]);
    await after(1);
    expect(await entered()).toEqual([1]);
    await after(DAY);
    expect(await entered()).toEqual([1]);
  });
});

describe("contacts that were merged", () => {
  const wait = {
    ...{ id: "wait", type: "wait", next: [{ id: "end", label: "0" }] },
    config: { any: [{ event: "purchase" }], timeout: { n: 1, unit: "day" } },
  };

  test("share one run: the older goes on under the survivor, sees its activities, and the other ends as merged", async () => {
    await world.publish({ trigger: { event: { action: "start" } }, actions: [wait, end] });
    await world.happen("start", { contact: 2 });
    world.clock.advance(MINUTE);
    await world.happen("start", { contact: 1 });
    await world.settle();
    await world.merge(2, 1);
    await world.happen("purchase", { contact: 1 });
    await world.settle();
    const rows = await memory.postgres.query<{ contact: number; state: string; reason: string | null }>(
      {
        text: `SELECT contact, state, run::json ->> 'reason' AS reason FROM orchestration_runs WHERE account = $1
          ORDER BY entered_at`,
      },
      [world.account.number],
    );
    expect(rows).toEqual([
      { contact: 1, state: "exited", reason: "through" },
      { contact: 1, state: "exited", reason: "merged" },
    ]);
  });

  test("have entered as either of them has", async () => {
    await world.publish({ trigger: { event: { action: "start" } }, actions: [end] });
    await world.happen("start", { contact: 2 });
    await world.settle();
    await world.merge(2, 1);
    await world.happen("start", { contact: 1 });
    await world.settle();
    expect(await entered()).toHaveLength(1);
  });
});
