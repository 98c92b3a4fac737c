import type { Delivered } from "@headwater/messaging/frozen/handover";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ACCEPTED, type BatchWorld, batchWorld, content, reachedBy, receipt } from "./batchWorld.ts";

const PEOPLE = 204;
const everybody = Array.from({ length: PEOPLE }, (_, index) => index + 1);
const POLICY: Delivered = { outcome: { kind: "soft-bounce", bounce: "policy" }, code: 554, text: "5.7.1 blocked" };
const SIGN_IN: Delivered = { outcome: { kind: "transport-failure", isDefinite: true }, code: 535, text: "5.7.8 no" };
const FAULT: Delivered = { outcome: { kind: "transport-failure" }, code: 554, text: "5.3.2 closed" };
let world: BatchWorld;

beforeAll(async () => {
  world = await batchWorld();
  await world.join(everybody);
});
afterAll(() => world.stop());
beforeEach(() => void world.mails.splice(0));
afterEach(() => {
  world.answer = () => ACCEPTED;
});

async function begin(text: string): Promise<string> {
  const id = await world.make({ ...receipt, message: content(text) });
  await world.put(id, "send");
  await world.work(id);
  return id;
}

/** Lets a paused message go on with a server that takes all, and returns it as it ends. */
async function goOn(id: string) {
  world.answer = () => ACCEPTED;
  world.mails.splice(0);
  await world.put(id, "resume");
  await world.work(id);
  await world.sendAll();
  await world.work(id);
  return world.see(id);
}

test.each([
  ["a refused sign-in", SIGN_IN, 1],
  ["three faults on our side in a row", FAULT, 3],
])(
  "%s pauses a message within a window; nobody bounces, and all get it once it goes on",
  async (_what, answer, times) => {
    let left = times;
    world.answer = () => (left-- > 0 ? answer : ACCEPTED);
    const id = await begin("Hello");
    await world.sender("first").sendOnce();
    await world.sendAll();
    const paused = await world.see(id);
    const sent = 50 - times;
    expect(paused).toMatchObject({ status: "paused", reason: "transport", audienceTotal: PEOPLE });
    expect(paused).toMatchObject({ delivery: { sent, deferred: times, pending: PEOPLE - 50, failed: 0 } });
    expect(await goOn(id)).toMatchObject({ status: "sent", delivery: { sent: PEOPLE, failed: 0, deferred: 0 } });
    expect(world.mails).toHaveLength(PEOPLE - sent);
  },
);

test("two faults on our side pause nothing", async () => {
  let left = 2;
  world.answer = () => (left-- > 0 ? FAULT : ACCEPTED);
  const id = await begin("Hello");
  await world.sendAll();
  expect(await world.see(id)).toMatchObject({ status: "processing", delivery: { sent: PEOPLE - 2, deferred: 2 } });
  await world.put(id, "cancel");
});

test("policy refusals of 5 % of the last 200 pause a message, from 200 answers on", async () => {
  let answered = 0;
  world.answer = () => (++answered % 20 === 0 ? POLICY : ACCEPTED);
  const id = await begin("Hello");
  await world.sendAll();
  const delivery = { sent: 200, pending: 4 };
  expect(await world.see(id)).toMatchObject({ status: "paused", reason: "blocked", delivery });
  expect(await goOn(id)).toMatchObject({ status: "sent", delivery: { sent: PEOPLE } });
});

test("less than 5 % pause nothing, however many there were at the beginning", async () => {
  let answered = 0;
  world.answer = () => (++answered <= 9 ? POLICY : ACCEPTED);
  const id = await begin("Hello");
  await world.sendAll();
  await world.work(id);
  expect(await world.see(id)).toMatchObject({ status: "sent", delivery: { sent: PEOPLE } });
});

test("20 of the first 100 that cannot be rendered pause a message, with their neighbours sent", async () => {
  const number = "{% assign number = contact.cID | slice: -4, 4 | modulo: 4 %}";
  const large = `{% for i in (1..2000) %}${"x".repeat(1_000)}{% endfor %}`;
  const id = await begin(`${number}{% if number == 0 %}${large}{% endif %}`);
  await world.sendAll();
  const { status, reason, delivery } = await world.see(id);
  expect([status, reason]).toEqual(["paused", "render"]);
  const { sent, pending, skipped } = delivery;
  expect(sent + pending + skipped["render-failed"]).toBe(PEOPLE);
  expect(skipped["render-failed"]).toBeGreaterThanOrEqual(20);
  expect(sent).toBe(world.mails.length);
  expect(reachedBy(world.mails).filter((number) => number % 4 === 0)).toEqual([]);
  expect(sent + skipped["render-failed"]).toBeLessThanOrEqual(100);
});
