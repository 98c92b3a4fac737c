import { createServer, type Server } from "node:http";
import { createOutbound } from "@headwater/kernel";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import { readIntakePayload } from "@headwater/postgres/outbox/intakePayload";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTasks } from "./performTasks.ts";
import { MINUTE, RunsWorld } from "./testRuns.ts";

const START_MS = 240_000;
const renders = createRenderer();
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
  await Promise.all([memory.stop(), renders.close(), outbound.close()]);
});

const end = { id: "end", type: "goal", config: { name: "through" } };
const start = { event: { action: "start" } };

async function perform(): Promise<void> {
  const tasks = createTasks({ ...world.process().ports, renders, outbound, sealer: undefined });
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
    const rows = await memory.postgres.query<{ payload: string }>({
      text: "SELECT payload FROM outbox ORDER BY position",
    });
    const written = rows.map(({ payload }) => {
      const { operation, records } = readIntakePayload(payload);
      return [operation, JSON.parse(records[0] ?? "")];
    });
    expect(written).toMatchObject([
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
    const [run] = await memory.postgres.query<{ error: string }>(
      { text: "SELECT run::json -> 'error' ->> 'message' AS error FROM orchestration_runs WHERE account = $1" },
      [world.account.number],
    );
    expect([await world.states(), run?.error]).toEqual([["failed"], "The write is refused: VALIDATION_ERROR"]);
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
