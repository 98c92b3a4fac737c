import { createServer, type Server } from "node:http";
import { createOutbound, HeadwaterError } from "@headwater/kernel";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import { readIntakePayload } from "@headwater/postgres/outbox/intakePayload";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createMapper } from "../dataJobs/createMapper.ts";
import type { Target } from "../dataJobs/dataJob.ts";
import { dataJobs } from "../dataJobs/postgres.ts";
import { createTasks } from "./performTasks.ts";
import { failing, MINUTE, RunsWorld } from "./testRuns.ts";

const START_MS = 240_000;
const renders = createRenderer();
const mapper = createMapper();
const outbound = createOutbound({ allow: ["127.0.0.1"] });
let memory: MemoryPostgres;
let world: RunsWorld;
let server: Server;
let url: string;
let status = 200;
const calls: { readonly id: unknown; readonly body: string }[] = [];
beforeAll(async () => {
  memory = await startMemoryPostgres();
  server = createServer((request, answer) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      calls.push({ id: request.headers["webhook-id"], body });
      answer.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`;
  // Its process takes seconds to start on a busy machine.
  const plain = { channel: "http", headers: {}, includes: {}, timezone: "UTC", currency: "USD", context: {} };
  await renders.render("warm", { ...plain, json: "{}" });
}, START_MS);
beforeEach(async () => {
  world = await RunsWorld.create(memory.postgres);
  calls.length = 0;
  status = 200;
  await memory.postgres.execute({ text: "DELETE FROM outbox" });
});
afterAll(async () => {
  server.close();
  await Promise.all([memory.stop(), renders.close(), mapper.close(), outbound.close()]);
});

const end = { id: "end", type: "goal", config: { name: "through" } };
const start = { event: { action: "start" } };

async function perform(): Promise<void> {
  const tasks = createTasks({ ...world.process().ports, renders, mapper, outbound, sealer: undefined });
  while (await tasks.performOnce()) await tasks.idle();
}

describe("a transformation", () => {
  const nodeOf = (set: object) => ({ id: "note", type: "transformation", config: { set }, next: [{ id: "end" }] });

  test("writes rendered attributes and lists as records of intake that start nothing, once, and goes on", async () => {
    const set = {
      attributes: { last: "{{ event.properties.sku }}", score: 3 },
      lists: { add: ["VIP"], remove: ["Cold"] },
    };
    await world.publish({ trigger: start, actions: [nodeOf(set), end] });
    await world.happen("start", { properties: { sku: "A-1" } });
    await world.process().read();
    await perform();
    await perform();
    expect(await written()).toMatchObject([
      [
        "upsertContact",
        { keyed: true, contact: { identifiers: { cID: "c1" }, attributes: { last: "A-1", score: 3 } } },
      ],
      ["addContactsToList", { listName: "VIP" }],
      ["removeContactsFromList", { listName: "Cold" }],
    ]);
    expect([await world.path(), await world.states()]).toEqual([["note", "end"], ["completed"]]);
  });

  test("fails the run with the reason for which a door refuses its write, and makes no record", async () => {
    await world.publish({ trigger: start, actions: [nodeOf({ lists: { add: ["no such name!"] } }), end] });
    await world.happen("start");
    await world.process().read();
    await perform();
    expect([await world.states(), await errorOf()]).toEqual([
      ["failed"],
      "The write is refused: VALIDATION_ERROR at /listName",
    ]);
  });
});

async function written(): Promise<[string, Record<string, unknown>][]> {
  const rows = await memory.postgres.query<{ payload: string }>({
    text: "SELECT payload FROM outbox ORDER BY position",
  });
  return rows.map(({ payload }) => {
    const { operation, records } = readIntakePayload(payload);
    return [operation ?? "", JSON.parse(records[0] ?? "")];
  });
}

async function errorOf(): Promise<string | undefined> {
  const text = "SELECT run::json -> 'error' ->> 'message' AS error FROM orchestration_runs WHERE account = $1";
  const [run] = await memory.postgres.query<{ error: string }>({ text }, [world.account.number]);
  return run?.error;
}

describe("a transformation by a data job", () => {
  const node = { id: "note", type: "transformation", config: { key: "order" }, next: [{ id: "end" }] };

  async function createDataJob(to: object, target: Target, enabled = true): Promise<void> {
    const members = {
      ...{
        daId: `${world.account.number}`.padStart(24, "0"),
        name: "order",
        kind: "oneTime" as const,
        apiTrigger: false,
      },
      ...{ cron: null, timezone: null, source: null, destination: null, nextAt: null, enabled },
      ...{ mapping: JSON.stringify({ to }), targetType: target.type, targetKey: target.key ?? null },
    };
    const named = { account: world.account.number, key: "order" };
    await memory.postgres.transaction((transaction) => dataJobs.insert(transaction, named, members, 0));
    await world.publish({ trigger: start, actions: [node, end] });
  }

  const order = {
    "contact.identifiers.cID": "=contact.cID",
    "contact.attributes.last": "=event.properties.sku",
    "contact.canBeCreated": true,
    "order.orderID": "=event.id",
    "order.purchaseDate": "=event.time",
    "order.items[0].productID": "=event.properties.sku",
    "order.items[0].sku": "=event.properties.sku",
    "order.items[0].name": "Heart",
  };

  test("maps contact, event and variables to records that start nothing and create nobody, once, and goes on", async () => {
    await createDataJob(order, { type: "orders" });
    await world.happen("start", { properties: { sku: "A-1" } });
    await world.process().read();
    await perform();
    await perform();
    const contact = { identifiers: { cID: "c1" }, attributes: { last: "A-1" }, canBeCreated: false };
    const record = { keyed: true, suppressTriggers: true, contact, order: { orderID: "r0:0:0" } };
    expect(await written()).toMatchObject([["upsertOrder", record]]);
    expect([await world.path(), await world.states()]).toEqual([["note", "end"], ["completed"]]);
  });

  test("starts runs where its mapping says so", async () => {
    await createDataJob({ ...order, suppressTriggers: false }, { type: "orders" });
    await world.happen("start", { properties: { sku: "A-1" } });
    await world.process().read();
    await perform();
    expect(await written()).toMatchObject([["upsertOrder", { suppressTriggers: false }]]);
  });

  test("killed at the commit of what it writes, writes it once with its run", async () => {
    await createDataJob({ productID: "=event.properties.sku", productName: "Heart" }, { type: "products" });
    await world.happen("start", { properties: { sku: "A-1" } });
    await world.process().read();
    for (const when of ["before", "after"] as const) {
      const killed = () => Object.assign(new Error("killed"), { code: "ECONNRESET" });
      const tasks = createTasks({
        ...world.process(failing(memory.postgres, { at: 1, when, killed })).ports,
        ...{ renders, mapper, outbound, sealer: undefined },
      });
      await tasks.performOnce();
      await tasks.idle();
      await memory.postgres.execute({ text: "UPDATE orchestration_tasks SET claimed_until = 0" });
    }
    await perform();
    const products = await memory.postgres.query<{ products: number }>(
      { text: "SELECT count(*) AS products FROM products WHERE account = $1 AND product_id = 'A-1'" },
      [world.account.number],
    );
    expect([products, await world.path()]).toEqual([[{ products: 1 }], ["note", "end"]]);
  });

  test.each([
    ["is gone", undefined, "The data job does not exist."],
    ["is disabled", false, "The data job is disabled."],
    ["makes what a door refuses", true, "The write is refused: VALIDATION_ERROR at /contact"],
  ])("fails its run with the reason when it %s", async (_what, enabled, reason) => {
    if (enabled !== undefined) await createDataJob({ "order.note": "=event.id" }, { type: "orders" }, enabled);
    else await world.publish({ trigger: start, actions: [node, end] });
    await world.happen("start");
    await world.process().read();
    await perform();
    expect([await world.states(), await errorOf(), await written()]).toEqual([["failed"], reason, []]);
  });

  test("tries again what found no process for its mapping", async () => {
    await createDataJob(order, { type: "orders" });
    await world.happen("start", { properties: { sku: "A-1" } });
    await world.process().read();
    const busy = {
      map: () =>
        Promise.reject(
          new HeadwaterError({ status: 503, code: "UNAVAILABLE", publicMessage: "busy", retriable: true }),
        ),
    };
    const tasks = createTasks({ ...world.process().ports, renders, mapper: busy, outbound, sealer: undefined });
    await tasks.performOnce();
    await tasks.idle();
    expect(await world.states()).toEqual(["waiting"]);
    world.clock.advance(MINUTE);
    await world.process().moveDue();
    await perform();
    expect(await world.states()).toEqual(["completed"]);
  });
});

describe("a webhook node", () => {
  const hook = (body?: string) => ({
    ...{ id: "call", type: "webhook", config: { url, ...(body !== undefined && { body }) } },
    next: [
      { id: "end", label: "ok" },
      { id: "end", label: "failed" },
    ],
  });

  test("posts what its Liquid renders to, and goes on by ok", async () => {
    await world.publish({ trigger: start, actions: [hook('{"sku": {{ event.properties.sku | json }}}'), end] });
    await world.happen("start", { properties: { sku: "A-1" } });
    await world.process().read();
    await perform();
    expect([calls.map(({ body }) => body), await world.path()]).toEqual([['{"sku": "A-1"}'], ["call ok", "end"]]);
  });

  test("tries five times under one id while the server fails, and then goes on by failed", async () => {
    status = 503;
    await world.publish({ trigger: start, actions: [hook(), end] });
    await world.happen("start");
    await world.process().read();
    for (let tries = 0; tries < 7; tries++) {
      await perform();
      world.clock.advance(MINUTE);
      await world.process().moveDue();
    }
    expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
    expect([calls.length, await world.path()]).toEqual([5, ["call failed", "end"]]);
  });

  test("goes on by failed at once after an answer that says the call is wrong", async () => {
    status = 404;
    await world.publish({ trigger: start, actions: [hook(), end] });
    await world.happen("start");
    await world.process().read();
    await perform();
    expect([calls.length, await world.path()]).toEqual([1, ["call failed", "end"]]);
  });
});
