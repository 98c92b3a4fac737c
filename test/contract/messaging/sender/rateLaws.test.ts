import { createOutbound } from "@headwater/kernel";
import { createHandovers } from "@headwater/messaging/sending/transports/handovers";
import { createTransportOpener } from "@headwater/messaging/sending/transports/openTransport";
import { startSmtpServer, type TestSmtpServer } from "@headwater/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

const SENDERS = 3;
const PER_CALL = 50;
/** Timers may fire, and clocks be rounded, a millisecond early. */
const EARLY_MS = 5;
/** The positions of a second lie in so much of it. */
const SPREAD_MS = 800;
const outbound = createOutbound({ allow: ["127.0.0.1"] });
let world: SenderWorld;
let server: TestSmtpServer;

beforeAll(async () => {
  [world, server] = await Promise.all([senderWorld(), startSmtpServer()]);
});
afterAll(async () => {
  await world.close();
  await outbound.close();
  await server.stop();
});

async function createTemplate(name: string, rates: object): Promise<void> {
  const settings = { host: "127.0.0.1", port: server.port, tls: "none", connections: 4, ...rates };
  const { body } = await world.call("POST", "/v2/transports", { name, channel: "email", type: "smtp", settings });
  expect((await world.make(name, { classification: "transactional", transportID: body.id })).status).toBe(201);
}

/** Sends to `count` people of each domain with three senders, until the server has taken all. @returns times of intents and of mails. */
async function send(name: string, { rates, domains, count }: { rates: object; domains: string[]; count: number }) {
  await createTemplate(name, rates);
  const to = domains.flatMap((domain) => Array.from({ length: count }, (_, n) => ({ email: `p${n}@${domain}` })));
  for (let from = 0; from < to.length; from += PER_CALL) {
    await world.call("POST", `${ROOT}/${name}/send`, { to: to.slice(from, from + PER_CALL) });
  }
  const before = (await server.taken()).length;
  const opener = createTransportOpener({ ...world.ways, outbound, sealer: undefined });
  const all = Array.from({ length: SENDERS }, () => createHandovers(world.postgres, opener));
  const senders = all.map((handovers) => world.sender({ handovers }));
  for (const one of senders) one.start();
  const taken = async () => (await server.taken()).slice(before);
  await expect.poll(async () => (await taken()).length, { timeout: 60_000 }).toBe(to.length);
  await Promise.all(senders.map((one) => one.stop()));
  await Promise.all(all.map((one) => one.close()));
  const text = `SELECT s.intended_at AS at, s.address, s.attempts FROM sends s JOIN send_wants w ON w.account = s.account AND w.id = s.want
    WHERE w.template = $1`;
  const intents = await world.postgres.query<{ at: number; address: string; attempts: number }>({ text }, [name]);
  expect(intents.map(({ attempts }) => attempts)).toEqual(to.map(() => 1));
  const mails = (await taken()).map(({ at, recipients: [address = ""] }) => ({ at, address }));
  return { intents, mails };
}

interface At {
  readonly at: number;
}

/** Mails beyond what all seconds since the first intent allow together: a mail may be late, but counts no earlier than its turn. */
function beyond(intents: readonly At[], mails: readonly At[], perSecond: number): number[] {
  const secondOf = (at: number) => Math.floor(at / 1_000);
  const first = secondOf(Math.min(...intents.map(({ at }) => at)));
  const inOrder = mails.map(({ at }) => at).toSorted((a, b) => a - b);
  return inOrder.filter((at, index) => index >= perSecond * (secondOf(at) - first + 1));
}

/** Mails that came before their turn, were all slots of a second taken one after the other. */
function early(intents: readonly At[], mails: readonly At[], perSecond: number): number[] {
  const first = Math.min(...intents.map(({ at }) => at));
  const inOrder = mails.map(({ at }) => at).toSorted((a, b) => a - b);
  // The position of a turn is at most one of these before it.
  return inOrder.filter((at, position) => at + EARLY_MS < first + ((position - 1) * SPREAD_MS) / perSecond);
}

test("senders that work at the same time never exceed a rate at the server, which gets its mails evenly", async () => {
  const { intents, mails } = await send("even", { rates: { perSecond: 40 }, domains: ["a.example"], count: 150 });
  expect(beyond(intents, mails, 40)).toEqual([]);
  expect(early(intents, mails, 40)).toEqual([]);
});

test("of several rates each holds, also one of a single message", async () => {
  const rates = { perSecond: 30, perDomain: { "slow.example": 3 } };
  const { intents, mails } = await send("several", { rates, domains: ["slow.example", "fast.example"], count: 12 });
  const slow = <One extends { address: string }>(all: readonly One[]) =>
    all.filter(({ address }) => address.endsWith("slow.example"));
  expect(beyond(intents, mails, 30)).toEqual([]);
  expect(beyond(slow(intents), slow(mails), 3)).toEqual([]);
  expect(early(slow(intents), slow(mails), 3)).toEqual([]);
});

test("a suppression is obeyed while rendered messages wait for their rate", async () => {
  await createTemplate("left", { perSecond: 2 });
  const to = Array.from({ length: 20 }, (_, n) => ({ email: `p${n}@left.example` }));
  await world.call("POST", `${ROOT}/left/send`, { to });
  const handovers = createHandovers(
    world.postgres,
    createTransportOpener({ ...world.ways, outbound, sealer: undefined }),
  );
  const sender = world.sender({ handovers });
  sender.start();
  await expect.poll(() => world.states("left")).toContain("pending rate");
  const suppressed = await Promise.all(
    to.map(({ email }) =>
      world.call("POST", "/v2/suppressions", { channel: "email", address: email, reason: "manual" }),
    ),
  );
  expect(new Set(suppressed.map(({ status }) => status))).toEqual(new Set([201]));
  await expect.poll(async () => (await world.states("left")).includes("pending rate"), { timeout: 30_000 }).toBe(false);
  await sender.stop();
  await handovers.close();
  expect((await world.states("left")).filter((state) => state === "skipped suppressed").length).toBeGreaterThan(10);
});
