import type { Delivered, OutgoingMail } from "@headwater/messaging/frozen/handover";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ACCEPTED, type BatchWorld, batchWorld, content, receipt } from "./batchWorld.ts";

const PEOPLE = [1, 2, 3];
const LATER: Delivered = { outcome: { kind: "deferred", slowsDown: false }, code: 450, text: "later" };
const LOST: Delivered = { outcome: { kind: "unknown" } };
let world: BatchWorld;

beforeAll(async () => {
  world = await batchWorld();
  await world.join(PEOPLE);
});
afterAll(() => world.stop());
beforeEach(() => void world.mails.splice(0));

/** Starts a message whose state is changed while the server is asked, and which the server answers so afterwards. */
async function stopWhileSending(call: "pause" | "cancel", answer: Delivered, more: object = {}): Promise<string> {
  const id = await world.make({ ...receipt, message: content("Hello"), ...more });
  await world.put(id, "send");
  await world.work(id);
  const asked = Promise.withResolvers<void>();
  const changed = Promise.withResolvers<void>();
  const sender = world.sender("asking", {}, async () => {
    asked.resolve();
    await changed.promise;
    return answer;
  });
  const sending = sender.sendOnce();
  await asked.promise;
  await world.put(id, call);
  changed.resolve();
  await sending;
  world.mails.splice(0);
  return id;
}

const setDue = (id: string) =>
  world.sql("UPDATE sends SET due_at = 0 WHERE message = $1 AND due_at < 100000000000000", [id]);

test("what was deferred while its message was canceled is not tried again", async () => {
  const id = await stopWhileSending("cancel", LATER);
  await setDue(id);
  await world.sendAll();
  expect(world.mails).toEqual([]);
  expect(await world.see(id)).toMatchObject({
    status: "canceled",
    delivery: { deferred: 0, skipped: { canceled: 3 } },
  });
});

test("an answer that was lost while its message was canceled stays unknown, also where it would be sent again", async () => {
  const id = await stopWhileSending("cancel", LOST);
  await setDue(id);
  await world.sendAll();
  expect(world.mails).toEqual([]);
  expect(await world.see(id)).toMatchObject({ status: "canceled", delivery: { unknown: 3, skipped: {} } });
});

test("a cancel does not call canceled what may have been handed over before", async () => {
  const id = await world.make({ ...receipt, message: content("Hello") });
  await world.put(id, "send");
  await world.work(id);
  world.answer = () => LOST;
  await world.sender("losing").sendOnce();
  world.answer = () => ACCEPTED;
  await world.put(id, "cancel");
  expect(await world.see(id)).toMatchObject({ status: "canceled", delivery: { unknown: 3, skipped: {} } });
});

test("what was deferred while its message was paused waits for the resume", async () => {
  const id = await stopWhileSending("pause", LATER);
  await setDue(id);
  await world.sendAll();
  expect(world.mails).toEqual([]);
  await world.put(id, "resume");
  await world.work(id);
  await setDue(id);
  await world.sendAll();
  await world.work(id);
  expect(world.mails).toHaveLength(PEOPLE.length);
  expect(await world.see(id)).toMatchObject({ status: "sent", delivery: { sent: 3 } });
});

test.each(["pause", "cancel"] as const)("what a killed sender left is not sent again after a %s", async (call) => {
  const id = await world.make({ ...receipt, message: content("Hello") });
  await world.put(id, "send");
  await world.work(id);
  await world.sql("UPDATE sends SET state = 'sending', owner = 'dead', attempts = 1, first_at = 1 WHERE message = $1", [
    id,
  ]);
  await world.put(id, call);
  await world.sender("live").expireOnce();
  await world.sendAll();
  expect(world.mails).toEqual([]);
  const delivery = call === "cancel" ? { unknown: 3, deferred: 0 } : { unknown: 0, deferred: 3 };
  expect(await world.see(id)).toMatchObject({ delivery });
  if (call === "cancel") return;
  await world.put(id, "resume");
  await world.work(id);
  await world.sendAll();
  expect(world.mails).toHaveLength(PEOPLE.length);
});

/** Sends to each contact as often as it was handed over. */
const reached = (mails: readonly OutgoingMail[]) => mails.map(({ address }) => address).toSorted();

test.each([1, 2, 3])("a message that is paused and resumed at window %i ends as one that never was", async (at) => {
  const id = await world.make({ ...receipt, message: content("Hello") });
  await world.put(id, "send");
  let windows = 0;
  world.answer = () => {
    windows += 1;
    return windows === at ? LATER : ACCEPTED;
  };
  await world.work(id, at);
  await world.put(id, "pause");
  await world.sendAll();
  await world.put(id, "resume");
  await world.work(id);
  for (let round = 0; round < 2; round++) {
    await world.sendAll();
    await setDue(id);
  }
  await world.work(id);
  world.answer = () => ACCEPTED;
  expect(new Set(reached(world.mails)).size).toBe(PEOPLE.length);
  expect(await world.see(id)).toMatchObject({ status: "sent", audienceTotal: 3, delivery: { sent: 3 } });
});
