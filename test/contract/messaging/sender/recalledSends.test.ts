import type { SenderPorts } from "@headwater/messaging/sending/ports";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AT, versionAt } from "../../service/seed.ts";
import { MEMBERS } from "../batchMessages/sendWorld.ts";
import { email, ROOT as TEMPLATES, template } from "../templates/templateWorld.ts";
import { type BatchWorld, batchWorld, reachedBy, receipt } from "./batchWorld.ts";

const PEOPLE = 12;
const everybody = Array.from({ length: PEOPLE }, (_, index) => index + 1);
let world: BatchWorld;
let transport: string;

beforeAll(async () => {
  world = await batchWorld();
  await world.join(everybody, {}, new Map([["email", { subscribed: versionAt(AT) }]]));
  const [{ id }] = (await world.call("GET", "/v2/transports")).body.data;
  transport = `/v2/transports/${id}`;
});
afterAll(() => world.stop());
beforeEach(() => void world.mails.splice(0));

/** Starts a message to everybody. @param more nothing for a promotional one. */
async function begin(text: string, more: object = {}): Promise<string> {
  const html = `<p>${text} <a href="{{ links.unsubscribe }}">x</a></p>`;
  const message = email(html, { replyEmail: "a@example.com" });
  const id = await world.make({ audience: MEMBERS, message, ...more });
  await world.put(id, "send");
  await world.work(id);
  return id;
}

/** Makes due what was recalled, until nothing is left of it. */
async function recallAll(): Promise<void> {
  const sender = world.sender("recalling");
  while (await sender.recallOnce());
}

/** Gives the transport a window of a week. What was sent counts in windows of the same length and count alone. */
async function setWindow(count: number): Promise<void> {
  const settings = { windows: [{ count, per: { n: 1, unit: "week" } }] };
  expect((await world.call("PUT", transport, { settings })).status).toBe(200);
}

async function setHours(quietHours: object | null, timezone = "UTC"): Promise<void> {
  expect((await world.call("PUT", "/v2/account", { timezone, messaging: { quietHours } })).status).toBe(200);
}

const hourFrom = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
const quietNow = () => ({ from: hourFrom(-1), to: hourFrom(1) });

test("what waits for the rate of a transport asks again once it is changed, while its message goes on", async () => {
  await setWindow(3);
  await begin("Faster", receipt);
  await world.sendAll();
  expect(world.mails).toHaveLength(3);
  await setWindow(100);
  await recallAll();
  await world.sendAll();
  expect(reachedBy(world.mails)).toEqual(everybody);
});

test("sends of a template that wait for the default transport ask again once another one is the default", async () => {
  await setWindow(4);
  const { status } = await world.call(
    "POST",
    TEMPLATES,
    template("order", undefined, { classification: "transactional" }),
  );
  expect(status).toBe(201);
  const to = everybody.map((number) => ({ email: `c${number}@example.com` }));
  expect((await world.call("POST", `${TEMPLATES}/order/send`, { to })).status).toBe(200);
  await world.sendAll();
  expect(world.mails).toHaveLength(4);
  const settings = { host: "other.example.com", fromDomains: ["example.com"] };
  const other = { name: "Other", channel: "email", type: "smtp", default: true, settings };
  expect((await world.call("POST", "/v2/transports", other)).status).toBe(201);
  await recallAll();
  await world.sendAll();
  expect(reachedBy(world.mails)).toEqual(everybody);
  expect((await world.call("PUT", transport, { default: true })).status).toBe(200);
});

test("a paused message stays where it is while rates change, and asks when it goes on", async () => {
  await setWindow(5);
  const id = await begin("Paused", receipt);
  await world.sendAll();
  await world.put(id, "pause");
  await setWindow(200);
  await recallAll();
  await world.sendAll();
  expect(world.mails).toHaveLength(5);
  await world.put(id, "resume");
  await world.work(id);
  await world.sendAll();
  expect(reachedBy(world.mails)).toEqual(everybody);
});

test("a rate that is changed while a window is under way holds nothing of it to the old one", async () => {
  await setWindow(6);
  await begin("Raced", receipt);
  let isChanged = false;
  const render: SenderPorts["renders"]["render"] = async (...call) => {
    if (!isChanged) await setWindow(300);
    isChanged = true;
    return world.renders.render(...call);
  };
  const compose: SenderPorts["renders"]["compose"] = (...call) => world.renders.compose(...call);
  const renders = { render, compose };
  await world.sender("old", undefined, undefined, { renders }).sendOnce();
  expect(world.mails).toHaveLength(6);
  await world.sendAll();
  expect(reachedBy(world.mails)).toEqual(everybody);
  await recallAll();
});

test("what waits for quiet hours asks again once they are changed, or the zone that they are read in", async () => {
  await setHours(quietNow());
  const id = await begin("Asked");
  await world.sendAll();
  expect((await world.see(id)).delivery).toMatchObject({ pending: PEOPLE, sent: 0 });
  await setHours({ ...quietNow(), to: hourFrom(2) });
  await recallAll();
  await world.sendAll();
  expect(world.mails).toEqual([]);
  await setHours({ ...quietNow(), to: hourFrom(2) }, "Asia/Tokyo");
  await recallAll();
  await world.sendAll();
  expect(reachedBy(world.mails)).toEqual(everybody);
});

test("quiet hours that end while a window is under way hold nothing of it", async () => {
  await setHours(quietNow());
  await begin("Late");
  let isChanged = false;
  const load: SenderPorts["messages"]["load"] = async (...call) => {
    if (!isChanged) await setHours(null);
    isChanged = true;
    return world.messages.load(...call);
  };
  await world.sender("old", undefined, undefined, { messages: { load } }).sendOnce();
  expect(world.mails).toEqual([]);
  await world.sendAll();
  expect(reachedBy(world.mails)).toEqual(everybody);
});
