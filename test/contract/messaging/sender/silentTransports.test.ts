import { createServer, type Server, type Socket } from "node:net";
import { createOutbound } from "@headwater/kernel";
import type { Sender } from "@headwater/messaging/sending/sender";
import { createHandovers } from "@headwater/messaging/sending/transports/handovers";
import { createTransportOpener } from "@headwater/messaging/sending/transports/openTransport";
import { startSmtpServer, type TestSmtpServer } from "@headwater/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld, templateBody } from "./senderWorld.ts";

/** More transports than a sender has queues. */
const TRANSPORTS = 70;
const HONEST_SENDS = 70;
const PER_CALL = 35;
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const sockets = new Set<Socket>();
let world: SenderWorld;
let quick: TestSmtpServer;
let silent: Server;
let sender: Sender;
let handovers: ReturnType<typeof createHandovers>;

beforeAll(async () => {
  [world, quick] = await Promise.all([senderWorld(), startSmtpServer()]);
  silent = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  handovers = createHandovers(world.postgres, createTransportOpener({ ...world.ways, outbound, sealer: undefined }));
  sender = world.sender({ handovers, stopGraceMs: 0 });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await sender.stop();
  await handovers.close();
  await world.close();
  await outbound.close();
  silent.close();
  await quick.stop();
});

const portOf = (server: Server) => Object(server.address()).port;

async function counted(account: string): Promise<Record<string, number>> {
  const text = `SELECT s.state, count(*) AS count FROM sends s JOIN send_wants w ON w.account = s.account AND w.id = s.want
    WHERE w.template LIKE $1 || '%' GROUP BY s.state`;
  const rows = await world.postgres.query<{ state: string; count: number }>({ text }, [account]);
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

test("seventy transports that accept and never answer hold up none of another account's mail", async () => {
  const to = [{ email: "somebody@example.org" }];
  for (let n = 0; n < TRANSPORTS; n++) {
    const settings = { host: "127.0.0.1", port: portOf(silent), tls: "none", connections: 1 };
    const transport = { name: `silent ${n}`, channel: "email", type: "smtp", settings };
    const { body } = await world.call("POST", "/v2/transports", transport);
    expect((await world.call("POST", ROOT, templateBody(`hostile${n}`, { transportID: body.id }))).status).toBe(201);
    expect((await world.call("POST", `${ROOT}/hostile${n}/send`, { to })).status).toBe(200);
  }
  sender.start();
  const hung = async () => (await counted("hostile")).sending ?? 0;
  await expect.poll(hung).toBeGreaterThanOrEqual(32);
  const settings = { host: "127.0.0.1", port: quick.port, tls: "none" };
  await world.otherCall("POST", "/v2/transports", {
    ...{ name: "quick", channel: "email", type: "smtp", default: true, settings },
  });
  expect((await world.otherCall("POST", ROOT, templateBody("honest"))).status).toBe(201);
  for (let from = 0; from < HONEST_SENDS; from += PER_CALL) {
    const people = Array.from({ length: PER_CALL }, (_, n) => ({ email: `p${from + n}@example.org` }));
    await world.otherCall("POST", `${ROOT}/honest/send`, { to: people });
  }
  await expect.poll(() => counted("honest")).toEqual({ sent: HONEST_SENDS });
  expect(await counted("hostile")).toEqual({ sending: await hung(), pending: TRANSPORTS - (await hung()) });
  expect(await hung()).toBe(32);
});
