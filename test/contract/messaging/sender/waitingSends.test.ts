import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cidOf, MEMBERS } from "../batchMessages/sendWorld.ts";
import { email } from "../templates/templateWorld.ts";
import { type BatchWorld, batchWorld, content, reachedBy, receipt } from "./batchWorld.ts";

const PEOPLE = 12;
const everybody = Array.from({ length: PEOPLE }, (_, index) => index + 1);
let world: BatchWorld;

beforeAll(async () => {
  world = await batchWorld();
  await world.join(everybody);
});
afterAll(() => world.stop());
beforeEach(() => void world.mails.splice(0));

test("what waits for a rate asks again when its message goes on, by the rates of then", async () => {
  const id = await world.make({ ...receipt, message: content("Freed") });
  await world.put(id, "send");
  await world.work(id);
  await world.sendAll({ windows: [{ count: 5, per: { n: 1, unit: "week" } }] });
  expect(world.mails).toHaveLength(5);
  for (const call of ["pause", "resume"]) await world.put(id, call);
  await world.work(id);
  await world.sendAll();
  expect(reachedBy(world.mails)).toEqual(everybody);
});

test("what waits for quiet hours asks again when its message goes on, by the hours of then", async () => {
  const link = '<a href="{{ links.unsubscribe }}">x</a>';
  const id = await world.make({ audience: MEMBERS, message: email(link, { replyEmail: "a@example.com" }) });
  const quietHours = (hours: object | null) =>
    world
      .call("PUT", "/v2/account", { timezone: "UTC", messaging: { quietHours: hours } })
      .then(({ status }) => status);
  const hourFrom = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  expect(await quietHours({ from: hourFrom(-1), to: hourFrom(1) })).toBe(200);
  await world.put(id, "send");
  await world.work(id);
  // Once the audience is taken: nobody carries changes to ClickHouse here, so that its snapshot would wait.
  const subscribed = { email: { address: "c1@example.com", subscribeStatus: "subscribed" } };
  await world.call("PUT", `/v2/contacts/${cidOf(1)}`, { channels: subscribed });
  await world.sendAll();
  expect((await world.see(id)).delivery).toMatchObject({ pending: 1, skipped: { "not-subscribed": PEOPLE - 1 } });
  expect(await quietHours(null)).toBe(200);
  await world.sql("DELETE FROM outbox");
  for (const call of ["pause", "resume"]) await world.put(id, call);
  await world.work(id);
  await world.sendAll();
  expect(reachedBy(world.mails)).toEqual([1]);
});
