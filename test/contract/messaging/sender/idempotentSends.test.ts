import type { Delivered } from "@headwater/messaging/frozen/handover";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

const SENT: Delivered = { outcome: { kind: "sent" }, code: 200 };
const HOUR_MS = 3_600_000;
let world: SenderWorld;

beforeAll(async () => {
  world = await senderWorld();
  for (const [name, idempotent] of Object.entries({ once: true, twice: false })) {
    const settings = { url: "https://provider.example/send", idempotent };
    const { status, body, text } = await world.call("POST", "/v2/transports", {
      ...{ name, channel: "email", type: "http", settings },
    });
    expect([status, text]).toEqual([201, expect.any(String)]);
    await world.make(name, { transportID: body.id, classification: "transactional", onUnknown: "skip" });
  }
});
afterAll(() => world.close());
beforeEach(() => void world.mails.splice(0));

/** Sends a template to one contact by a sender that sleeps before its answer, until others take it for dead. */
async function sendAsleep(key: string, firstHoursAgo = 0): Promise<{ wake(): Promise<void> }> {
  const answer = Promise.withResolvers<Delivered>();
  world.answer(() => answer.promise);
  await world.call("POST", `${ROOT}/${key}/send`, { to: { email: "ada@example.org" } });
  const sending = world.sender().sendOnce();
  await expect.poll(() => world.mails.length).toBe(1);
  const text = "UPDATE sends SET claim_until = 1, first_at = first_at - $1 WHERE state = 'sending'";
  await world.postgres.execute({ text }, [firstHoursAgo * HOUR_MS]);
  world.answer(() => SENT);
  const others = world.sender();
  expect(await others.expireOnce()).toBe(1);
  await world.sendAll(others);
  const wake = async () => {
    answer.resolve(SENT);
    await sending;
  };
  return { wake };
}

test("what a killed sender had under way goes out again by an idempotent transport alone, under the same key", async () => {
  const once = await sendAsleep("once");
  expect(await world.states("once")).toEqual(["sent"]);
  expect(world.mails).toHaveLength(2);
  expect(new Set(world.mails.map(({ mcId }) => mcId)).size).toBe(1);
  await once.wake();
  world.mails.splice(0);
  const twice = await sendAsleep("twice");
  expect(await world.states("twice")).toEqual(["unknown answer-lost"]);
  expect(world.mails).toHaveLength(1);
  await twice.wake();
});

test("after a day it is not tried again: the service may have forgotten the key", async () => {
  const late = await sendAsleep("once", 25);
  expect(await world.states("once")).toEqual(["sent", "unknown answer-lost"]);
  expect(world.mails).toHaveLength(1);
  await late.wake();
});
