import { type Version, versionOf } from "@headwater/contracts";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AT, DAY, failing, HOUR, MINUTE, RunsWorld } from "./testRuns.ts";

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
  test("of one orchestration decides an order once, whatever another one decides later", async () => {
    const shipped = { where: [{ field: "status", op: "eq", value: "shipped" }] };
    await world.publish({ trigger: { order: {} }, entry: { reentry: "always", key: "shop" }, actions: [end] });
    await world.publish({ trigger: { order: shipped }, entry: { reentry: "always" }, actions: [end] });
    await order("o1", 1, { status: "paid" });
    await world.settle();
    expect(await entered()).toEqual([]);
    await order("o1", 1, { status: "shipped", shop: "west" });
    await order("o1", 1, { status: "shipped", shop: "west", note: "again" });
    await world.settle();
    expect(await entered()).toEqual([1]);
  });

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
  /** Stores a cart of a contact as `state` does. */
  const store = (contact: number, version: Version) =>
    memory.postgres.execute(
      {
        text: `INSERT INTO carts (account, contact, version, revision, doc) VALUES ($1, $2, $3, 1, '{}')
          ON CONFLICT (account, contact) DO UPDATE SET version = EXCLUDED.version`,
      },
      [world.account.number, contact, version],
    );
  const emit = (contact: number, lines: number, version: Version, more: object = {}) =>
    world.append("changes.carts", {
      ...{ account: world.account.number, contact, version, cartId: "k", lines, expiresAt: null },
      ...{ total: null, cart: { cartID: "k" }, ...more },
    });
  const cart = async (contact: number, lines: number, more: object = {}): Promise<Version> => {
    const version = versionNow();
    await store(contact, version);
    await emit(contact, lines, version, more);
    return version;
  };
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

  const idle = { trigger: { cart: { idle: { n: 4, unit: "hour" } } }, entry: { reentry: "always" }, actions: [end] };

  test("takes nothing back for a change after its time, one that comes again, or one that is older", async () => {
    await world.publish(idle);
    const old = await cart(1, 1);
    world.clock.advance(HOUR);
    const version = await cart(1, 2);
    await emit(1, 1, old);
    await emit(1, 2, version);
    await world.settle();
    await after(4 * HOUR - 1);
    expect(await entered()).toEqual([]);
    world.clock.advance(MINUTE);
    await cart(1, 3);
    await world.settle();
    expect(await entered()).toEqual([1]);
    await after(4 * HOUR);
    expect(await entered()).toEqual([1, 1]);
    for (const lines of [1, 2, 3]) {
      world.clock.advance(4 * HOUR + MINUTE);
      await cart(1, lines);
    }
    await world.settle();
    expect(await entered()).toEqual([1, 1, 1, 1]);
  });

  test("begins no time for a change whose write suppresses triggers, and ends that of the cart before it", async () => {
    await world.publish(idle);
    await cart(1, 1);
    await cart(2, 1);
    await world.settle();
    await cart(1, 2, { suppressTriggers: true });
    await after(DAY);
    expect(await entered()).toEqual([2]);
  });

  test.each(["before", "after"])(
    "goes on for the cart that a merge moved, %s the events of the survivor are read",
    async (order) => {
      await world.publish(idle);
      const version = await cart(2, 1);
      await world.settle();
      await world.merge(2, 1);
      await store(1, version);
      const events = [
        () => emit(1, 1, version, { suppressTriggers: true }),
        () => emit(2, 1, version, { merge: true }),
      ];
      for (const event of order === "before" ? events.toReversed() : events) await event();
      await after(4 * HOUR);
      expect(await entered()).toEqual([1]);
      await after(DAY);
      expect(await entered()).toEqual([1]);
    },
  );

  test("starts nobody for the cart that a merge dropped", async () => {
    await world.publish(idle);
    const dropped = await cart(2, 1);
    await world.settle();
    world.clock.advance(HOUR);
    await cart(1, 1, { suppressTriggers: true });
    await world.merge(2, 1);
    await emit(2, 1, dropped, { merge: true });
    await after(DAY);
    expect(await entered()).toEqual([]);
  });

  test("starts nobody while the orchestration is disabled, nor for what came before it was enabled", async () => {
    const id = await world.publish(idle);
    await world.enable(id, false);
    await cart(1, 1);
    await world.enable(id, true);
    await cart(2, 1);
    await after(4 * HOUR);
    expect(await entered()).toEqual([2]);
  });
});

describe("a change that an import made", () => {
  test("starts nothing unless it says so", async () => {
    await world.publish({ trigger: { order: {} }, entry: { reentry: "always" }, actions: [end] });
    const imported = (contact: number, more: object = {}) => {
      const version = versionOf(world.clock.nowMs(), { lane: 2, partition: 0, offset: ++offsets, place: 0 });
      return world.append("changes.orders", {
        ...{ account: world.account.number, contact, orderId: `i${contact}`, version, purchasedAt: AT, status: "paid" },
        ...{ counts: true, currency: "USD", total: "1", order: {}, ...more },
      });
    };
    await imported(1);
    await imported(2, { suppressTriggers: false });
    await world.settle();
    expect(await entered()).toEqual([2]);
  });
});

describe("a process killed at any of its transactions", () => {
  const points = [1, 2, 3, 4, 5, 6].flatMap((at) => [[at, "before"] as const, [at, "after"] as const]);

  test.each(points)("number %i, %s the commit: a list, an order and a cart start one run each", async (at, when) => {
    await memory.postgres.execute(
      {
        text: `INSERT INTO lists (account, id, name, name_key, display_name, created_at) VALUES ($1, 7, 'VIP', 'vip', 'VIP', $2)
          ON CONFLICT DO NOTHING`,
      },
      [world.account.number, AT],
    );
    const entry = { reentry: "always" };
    await world.publish({ trigger: { list: { name: "vip", on: "joined" } }, entry, actions: [end] });
    await world.publish({ trigger: { order: {} }, entry, actions: [end] });
    await world.publish({ trigger: { cart: { idle: { n: 1, unit: "hour" } } }, entry, actions: [end] });
    const of = { account: world.account.number, contact: 1 };
    await world.append("changes.memberships", { ...of, list: 7, present: true, joinedAt: AT, version: versionNow() });
    const order = { purchasedAt: AT, status: "paid", counts: true, currency: "USD", total: "1", order: {} };
    await world.append("changes.orders", { ...of, orderId: "o", version: versionNow(), ...order });
    await world.append("changes.orders", { ...of, orderId: "o", version: versionNow(), ...order });
    const version = versionNow();
    const stored = "INSERT INTO carts (account, contact, version, revision, doc) VALUES ($1, 1, $2, 1, '{}')";
    await memory.postgres.execute({ text: stored }, [world.account.number, version]);
    const cart = { cartId: "k", lines: 1, expiresAt: null, total: null, cart: {} };
    await world.append("changes.carts", { ...of, version, ...cart });
    let kills = 0;
    const killed = () => {
      kills += 1;
      return Object.assign(new Error("killed"), { code: "ECONNRESET" });
    };
    let process = world.process(failing(world.postgres, { at, when, killed }));
    for (let rounds = 0; rounds < 3; rounds++) {
      try {
        for (const topic of ["changes.memberships", "changes.orders", "changes.carts"]) await process.read(topic);
        await process.moveDue();
      } catch (error) {
        if (kills === 0) throw error;
        process = world.process();
      }
      world.clock.advance(HOUR);
    }
    await world.settle();
    expect([kills, await entered()]).toEqual([1, [1, 1, 1]]);
    for (const topic of world.logs.keys()) {
      await memory.postgres.execute({ text: "UPDATE stream_offsets SET next_offset = 0" });
      await world.process().read(topic);
    }
    world.clock.advance(DAY);
    await world.settle();
    expect(await entered()).toEqual([1, 1, 1]);
  });
});

test("a wait for a click on another message sees that of its template alone, and not those of machines", async () => {
  const { number: account, id } = world.account;
  await world.createTemplate("news");
  const mdtId = `${account}e1`.padStart(24, "0");
  await memory.postgres.execute(
    {
      text: `INSERT INTO template_children (account, id, mdt_id, key, channel, settings, created_at, ends_at)
        VALUES ($1, $2, $3, 'news', 'email', '{}', $4, $4)`,
    },
    [account, `${mdtId}:d260105`, mdtId, AT],
  );
  const any = [{ event: "click", message: { key: "news" } }];
  const wait = { id: "wait", type: "wait", config: { any, timeout: { n: 1, unit: "day" } } };
  await world.publish({ trigger: { event: { action: "start" } }, actions: [{ ...wait, next: [] }] });
  await world.happen("start");
  const click = (message: string, more: object = {}) =>
    world.happen("click", { properties: { mcID: `${id}:${message}:a:c1:1` }, more });
  await click("0123456789abcdef01234567:d260105");
  await click(`${mdtId}:d260105`, { robot: true });
  await world.settle();
  expect(await world.path()).toEqual([]);
  await click(`${mdtId}:d260105`);
  await world.settle();
  expect(await world.path()).toEqual(["wait 0"]);
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
