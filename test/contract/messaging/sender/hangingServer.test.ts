import { createOutbound } from "@headwater/kernel";
import type { Sender } from "@headwater/messaging/sending/sender";
import { createHandovers } from "@headwater/messaging/sending/transports/handovers";
import { createTransportOpener } from "@headwater/messaging/sending/transports/openTransport";
import { type SmtpRule, startSmtpServer, type TestSmtpServer } from "@headwater/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

/** More than a window, so that the sender comes back to the transport that hangs. */
const SLOW = 60;
const PROMOTIONAL = 51;
const QUICK = 70;
const PER_CALL = 35;
const outbound = createOutbound({ allow: ["127.0.0.1"] });
let world: SenderWorld;
let slow: TestSmtpServer;
let quick: TestSmtpServer;
let sender: Sender;
let handovers: ReturnType<typeof createHandovers>;
let templates = 0;

beforeAll(async () => {
  [world, slow, quick] = await Promise.all([senderWorld(), startSmtpServer(), startSmtpServer()]);
  for (const [name, { port, connections }] of Object.entries({
    slow: { port: slow.port, connections: 2 },
    quick: { port: quick.port, connections: 2 },
    narrow: { port: slow.port, connections: 1 },
  })) {
    const settings = { host: "127.0.0.1", port, tls: "none", connections };
    await world.call("POST", "/v2/transports", { name, channel: "email", type: "smtp", settings });
  }
});
afterAll(async () => {
  await world.close();
  await outbound.close();
  await Promise.all([slow.stop(), quick.stop()]);
});
beforeEach(() => {
  handovers = createHandovers(world.postgres, createTransportOpener({ ...world.ways, outbound, sealer: undefined }));
  sender = world.sender({ handovers, stopGraceMs: 0, storeWithinMs: 50 });
});
afterEach(async () => {
  await sender.stop();
  await slow.behave();
  await handovers.close();
  await world.postgres.execute({ text: "DELETE FROM sends" });
});

/** Creates a template that goes by a transport. @returns its key. */
async function templateBy(name: string, classification = "transactional"): Promise<string> {
  const { body } = await world.call("GET", "/v2/transports");
  const { id } = body.data.find((one: { name: string }) => one.name === name);
  const key = `${name}-${++templates}`;
  await world.make(key, { classification, transportID: id });
  return key;
}

async function want(key: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += PER_CALL) {
    const to = Array.from({ length: Math.min(PER_CALL, count - from) }, (_, n) => ({
      email: `p${from + n}@example.org`,
    }));
    await world.call("POST", `${ROOT}/${key}/send`, { to });
  }
}

/** Sends of a template by state. */
async function counted(key: string): Promise<Record<string, number>> {
  const text = `SELECT s.state, count(*) AS count FROM sends s JOIN send_wants w ON w.account = s.account AND w.id = s.want
    WHERE w.template = $1 GROUP BY s.state`;
  const rows = await world.postgres.query<{ state: string; count: number }>({ text }, [key]);
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

const hangs: readonly SmtpRule[] = (["CONN", "EHLO", "MAIL", "RCPT", "DATA", "DOT"] as const).map((command) => ({
  command,
  action: { kind: "hang" },
}));
const dribbles: SmtpRule = { command: "CONN", action: { kind: "drip", msPerByte: 1_000 } };

test.each([...hangs, dribbles])(
  "a server that behaves as $command: $action.kind stalls nothing but its own sends",
  async (rule) => {
    await slow.behave(rule);
    const [stalled, other] = [await templateBy("slow"), await templateBy("quick")];
    await want(stalled, SLOW);
    sender.start();
    await expect.poll(async () => (await counted(stalled)).sending).toBe(50);
    await want(other, QUICK);
    await expect.poll(() => counted(other)).toEqual({ sent: QUICK });
    expect(await counted(stalled)).toEqual({ sending: 50, pending: SLOW - 50 });
    await sender.stop();
    const { unknown = 0, deferred = 0, pending = 0, sent = 0 } = await counted(stalled);
    expect([unknown, deferred + pending, sent]).toEqual([0, SLOW, 0]);
  },
);

test("outcomes are stored while a server still hangs on one mail", async () => {
  await slow.behave({ command: "RCPT", to: "<p7@", action: { kind: "hang" } });
  const key = await templateBy("slow");
  await want(key, 10);
  sender.start();
  await expect.poll(() => counted(key)).toEqual({ sending: 1, sent: 9 });
});

test("a transactional message is the next one handed over, whatever promotional ones wait for the only connection", async () => {
  await slow.behave({ command: "CONN", action: { kind: "drip", msPerByte: 5 } });
  const [offer, receipt] = [await templateBy("narrow", "promotional"), await templateBy("narrow")];
  for (let n = 0; n < PROMOTIONAL; n++) {
    const channels = { email: { address: `p${n}@example.org`, subscribeStatus: "subscribed" } };
    await world.call("POST", "/v2/contacts", { channels });
  }
  const before = (await slow.taken()).length;
  const takenSince = async () => (await slow.taken()).slice(before);
  await want(offer, PROMOTIONAL);
  sender.start();
  await expect.poll(async () => (await takenSince()).length).toBeGreaterThan(0);
  expect((await counted(offer)).sending).toBeGreaterThan(40);
  await world.call("POST", `${ROOT}/${receipt}/send`, { to: [{ email: "buyer@example.org" }] });
  await expect.poll(async () => (await counted(receipt)).sending).toBe(1);
  // Whatever was under way by now comes before it, and the one that may have begun meanwhile.
  const earlier = (await takenSince()).length;
  const index = async () =>
    (await takenSince()).findIndex(({ recipients }) => recipients.includes("buyer@example.org"));
  await expect.poll(index, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(earlier).toBeLessThan(30);
  expect(await index()).toBeLessThanOrEqual(earlier + 2);
});
