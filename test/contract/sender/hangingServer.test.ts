import { createOutbound } from "@headwater/kernel";
import { createHandovers, createTransportOpener, type Sender } from "@headwater/sender";
import { type SmtpRule, startSmtpServer, type TestSmtpServer } from "@headwater/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

/** More than a window, so that the sender comes back to the transport that hangs. */
const SLOW = 60;
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
  for (const [name, { port }] of Object.entries({ slow, quick })) {
    const settings = { host: "127.0.0.1", port, tls: "none", connections: 2 };
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
async function templateBy(name: string): Promise<string> {
  const { body } = await world.call("GET", "/v2/transports");
  const { id } = body.data.find((one: { name: string }) => one.name === name);
  const key = `${name}-${++templates}`;
  await world.make(key, { classification: "transactional", transportID: id });
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
