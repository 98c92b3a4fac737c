import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Account, defaultSettings } from "@headwater/contracts";
import { createLogger, hashApiKey } from "@headwater/kernel";
import { afterEach, expect, test } from "vitest";
import type { AnswerBudgetOptions } from "../answers/answerBudget.ts";
import { createKeyCache } from "../guards/keyCache.ts";
import { defineRoute } from "../routes/defineRoute.ts";
import type { HttpServer } from "./httpServer.ts";
import { createTestServer } from "./testServer.ts";

const MIB = 1024 * 1024;
/** More than the buffers of a connection on this machine take. */
const ANSWER_BYTES = 24 * MIB;
const text = JSON.stringify("x".repeat(ANSWER_BYTES));
const logger = createLogger({ name: "test", level: "silent" });

let server: HttpServer | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.stop({ timeoutMs: 200 });
});

/** A server of two accounts and one route with a large answer. */
async function listen(answers: AnswerBudgetOptions): Promise<number> {
  const keyOf = (name: string, number: number) => {
    const account: Account = { number, id: String(number).repeat(24), name, settings: defaultSettings };
    return [hashApiKey(name), { kind: "key", id: name, name, account, scopes: ["read"] }] as const;
  };
  const keys = new Map([keyOf("hostile", 1), keyOf("honest", 2)]);
  server = createTestServer({ keys: createKeyCache({ logger, find: async (hash) => keys.get(hash) }), answers });
  server.add(
    defineRoute({
      ...{ answers: { 200: { description: "ok", example: {} } }, auth: "basic", rateClass: "free", summary: "s" },
      ...{ method: "GET", path: "/v2/large", operationId: "large" },
      handler: () => ({ status: 200, text }),
    }),
  );
  return server.start({ host: "127.0.0.1", port: 0 });
}

const authorizationOf = (name: string) => `Basic ${Buffer.from(`${name}:`).toString("base64")}`;

const read = (port: number, name: string) =>
  fetch(`http://127.0.0.1:${port}/v2/large`, { headers: { authorization: authorizationOf(name) } });

/** Asks for the answer, reads its first bytes, and no more. @returns its first line. */
async function hang(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.write(`GET /v2/large HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorizationOf("hostile")}\r\n\r\n`);
  const [first]: Buffer[] = await once(socket, "data");
  socket.pause();
  return first?.toString("latin1").split("\r\n")[0] ?? "";
}

test("an account that takes none of its large answers is refused more of them, and another account has its own at once", async () => {
  const port = await listen({ bytesMax: 8 * ANSWER_BYTES });
  const lines: string[] = [];
  for (let n = 0; n < 8; n++) lines.push(await hang(port));
  expect(lines.filter((line) => line.includes("200"))).toHaveLength(5);
  const refused = await read(port, "hostile");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED" });
  const honest = await read(port, "honest");
  expect([honest.status, (await honest.text()).length]).toEqual([200, text.length]);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await read(port, "hostile")).status, { timeout: 10_000 }).toBe(200);
});

test("a client that takes a large answer slower than the least rate loses its connection, and what it held is free", async () => {
  const port = await listen({ bytesMax: 2 * ANSWER_BYTES, graceMs: 2_000, bytesPerSecondMin: 1_000 * MIB });
  expect(await hang(port)).toContain("200");
  expect((await read(port, "hostile")).status).toBe(429);
  await expect.poll(async () => (await read(port, "hostile")).status, { timeout: 10_000 }).toBe(200);
});
