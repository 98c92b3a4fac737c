import type { Delivered, OutgoingMail } from "@headwater/messaging/frozen/handover";
import type { SenderPorts } from "@headwater/messaging/sending/ports";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

const WINDOW = 50;
const PER_CALL = 50;
const SENT: Delivered = { outcome: { kind: "sent" }, code: 250, text: "2.0.0 queued" };
let world: SenderWorld;
/** Answers that the server owes. */
let owed: (() => void)[] = [];

beforeAll(async () => {
  world = await senderWorld();
  await world.make("receipt", { classification: "transactional" });
  await world.make("offer", { classification: "promotional" });
});
afterAll(() => world.close());
afterEach(() => world.postgres.execute({ text: "DELETE FROM sends" }).then(() => undefined));

async function want(key: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += PER_CALL) {
    const to = Array.from({ length: Math.min(PER_CALL, count - from) }, (_, n) => ({
      email: `p${from + n}@${key}.example.org`,
    }));
    await world.call("POST", `${ROOT}/${key}/send`, { to });
  }
}

const answerLater = () => new Promise<Delivered>((resolve) => owed.push(() => resolve(SENT)));

async function counts(): Promise<Record<string, number>> {
  const text = `SELECT CASE WHEN state = 'pending' AND claim_until > 0 THEN 'claimed' ELSE state END AS state, count(*) AS count
    FROM sends GROUP BY 1`;
  const rows = await world.postgres.query<{ state: string; count: number }>({ text });
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

/** A sender that counts what it has rendered. */
function counting() {
  let rendered = 0;
  const render: SenderPorts["renders"]["render"] = (...call) => {
    rendered += 1;
    return world.ways.renders.render(...call);
  };
  const compose: SenderPorts["renders"]["compose"] = (...call) => world.ways.renders.compose(...call);
  const sender = world.sender({ renders: { render, compose }, storeWithinMs: 20 });
  return { sender, rendered: () => rendered };
}

test("the next window is rendered while one is handed over, and no more than one window's intents are open", async () => {
  owed = [];
  world.answer(answerLater);
  await want("receipt", 120);
  const { sender, rendered } = counting();
  sender.start();
  await expect.poll(() => owed.length).toBe(WINDOW);
  await expect.poll(counts).toEqual({ sending: WINDOW, pending: 70 });
  expect(rendered()).toBe(WINDOW);
  owed.shift()?.();
  await expect.poll(rendered).toBe(2 * WINDOW);
  await expect.poll(counts).toEqual({ sent: 1, sending: WINDOW - 1, claimed: WINDOW, pending: 20 });
  for (const answer of owed.splice(0)) answer();
  await expect.poll(counts).toEqual({ sent: WINDOW, sending: WINDOW, claimed: 20 });
  world.answer(() => SENT);
  for (const answer of owed.splice(0)) answer();
  await expect.poll(counts).toEqual({ sent: 120 });
  await sender.stop();
  expect(rendered()).toBe(120);
});

test("what is pulled out while it waits for its turn is not handed over", async () => {
  owed = [];
  const reached: OutgoingMail[] = [];
  world.answer((mail) => {
    reached.push(mail);
    return answerLater();
  });
  await want("receipt", 100);
  const { sender, rendered } = counting();
  sender.start();
  await expect.poll(() => owed.length).toBe(WINDOW);
  owed.shift()?.();
  await expect.poll(rendered).toBe(2 * WINDOW);
  const text = "SELECT address FROM sends WHERE state = 'pending'";
  const waiting = await world.postgres.query<{ address: string }>({ text });
  expect(waiting).toHaveLength(WINDOW);
  for (const { address } of waiting) {
    await world.call("POST", "/v2/suppressions", { channel: "email", address, reason: "manual" });
  }
  world.answer(() => SENT);
  for (const answer of owed.splice(0)) answer();
  await expect.poll(counts).toEqual({ sent: WINDOW, skipped: WINDOW });
  await sender.stop();
  expect(reached).toHaveLength(WINDOW);
});

test("a transactional send does not wait behind promotional ones of the same transport", async () => {
  owed = [];
  world.answer(({ address }) => (address.includes("@offer.") ? answerLater() : SENT));
  await world.postgres.execute({ text: "DELETE FROM sends" });
  for (let n = 0; n < 60; n++) {
    const channels = { email: { address: `p${n}@offer.example.org`, subscribeStatus: "subscribed" } };
    await world.call("POST", "/v2/contacts", { channels });
  }
  await want("offer", 60);
  const { sender } = counting();
  sender.start();
  await expect.poll(() => owed.length).toBe(WINDOW);
  await want("receipt", 3);
  await expect.poll(counts).toEqual({ sent: 3, sending: WINDOW, pending: 10 });
  world.answer(() => SENT);
  for (const answer of owed.splice(0)) answer();
  await expect.poll(counts).toEqual({ sent: 63 });
  await sender.stop();
});
