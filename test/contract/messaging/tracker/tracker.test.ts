import { createMetrics } from "@headwater/kernel";
import { createEventQueue } from "@headwater/messaging/tracker/events/eventQueue";
import { HeldClicks } from "@headwater/messaging/tracker/events/heldClicks";
import { createTrackerServer } from "@headwater/messaging/tracker/trackerServer";
import { mcIdOf, type TokenKind, type TrackingToken } from "@headwater/messaging/tracking/trackingToken";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ingress, startIngress } from "../../intake/ingress/ingressFixture.ts";
import { logger } from "../../stores/fresh.ts";

const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
const names = {
  accountId: "65f0c0ffee65f0c0ffee0001",
  cID: "65f0c0ffee65f0c0ffee00cc",
  channel: "email",
  composedAt: 0,
};
const send = { type: "b", account: 3, contact: 9, n: 1, message: "65f0c0ffee65f0c0ffee00aa", names } as const;
const sealed = (kind: TokenKind, more: Partial<TrackingToken> = {}) => tokens.seal({ kind, ...send, ...more });
const clicked = sealed("click", { link: { place: 1, url: "https://shop.example/a" } });
const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };

const offered = ["news", "deals"].map((name) => ({ name, displayName: name }));

let log: Ingress;
let base: string;
let clicks: HeldClicks;
let stop: () => Promise<void>;
beforeAll(async () => {
  log = await startIngress();
  const metrics = createMetrics({ processMetrics: false });
  const producer: Pick<Ingress["producer"], "append"> = {
    append: (append) => log.producer.append({ ...append, topic: log.topic }),
  };
  const queue = createEventQueue({ producer, logger, metrics });
  clicks = new HeldClicks((events) => queue.add(events));
  const lists = { offered: async () => offered, joined: async () => new Set(["news"]) };
  const server = createTrackerServer({
    logger,
    metrics,
    plainHttp: "loopback",
    tokens,
    producer,
    queue,
    clicks,
    lists,
  });
  queue.start();
  base = `http://127.0.0.1:${await server.start({ host: "127.0.0.1", port: 0 })}/t`;
  stop = async () => {
    await server.stop({ timeoutMs: 1_000 });
    await queue.stop();
    await log.stop();
  };
});
afterAll(() => stop());

const get = (path: string) => fetch(`${base}/${path}`, { headers, redirect: "manual" });
const post = (path: string, body = "List-Unsubscribe=One-Click") =>
  fetch(`${base}/${path}`, { method: "POST", body, headers: { "content-type": "application/x-www-form-urlencoded" } });
const written = (name: string) => log.records.filter(({ event }) => Object(event).name === name);

test("a click is redirected and stands in the log as an activity that the registry knows", async () => {
  const { status, headers: answered } = await get(`c/${clicked}`);
  expect([status, answered.get("location")]).toEqual([302, "https://shop.example/a"]);
  clicks.releaseAll();
  await expect.poll(() => written("click").length).toBe(1);
  const mcID = mcIdOf(send);
  expect(written("click")[0]).toMatchObject({
    account: names.accountId,
    contact: { identifiers: { cID: names.cID } },
    event: { properties: { mcID, linkID: `${mcID}:1`, channel: "email" } },
  });
});

test("with Kafka away clicks go on and unsubscribes are refused; once it is back each stands there once", async () => {
  log.kafkaProxy.setMode("refuse");
  expect((await get(`c/${clicked}`)).status).toBe(302);
  clicks.releaseAll();
  const refused = await post(`u/${sealed("unsubscribe")}`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
  log.kafkaProxy.setMode("forward");
  await expect.poll(() => written("click").length).toBe(2);
  await expect.poll(async () => (await post(`u/${sealed("unsubscribe")}`)).status).toBe(200);
  await expect.poll(() => written("optout").length).toBeGreaterThan(0);
  expect(new Set(written("optout").map(({ event }) => Object(event).UID))).toEqual(
    new Set([`optout:email:${mcIdOf(send)}`]),
  );
});

test("an undo is a forced subscribe of the contact", async () => {
  expect((await post(`u/${sealed("unsubscribe")}`, "action=undo")).status).toBe(200);
  const forced = () => log.records.filter(({ contact }) => Object(contact).forceSubscribe === true);
  await expect.poll(() => forced().length).toBe(1);
});

test("a choice of lists stands in the log as records that the registry knows", async () => {
  const choice = () => post(`u/${sealed("preferences")}`, "action=lists&shown=news&list=deals");
  log.kafkaProxy.setMode("refuse");
  expect((await choice()).status).toBe(503);
  log.kafkaProxy.setMode("forward");
  await expect.poll(async () => (await choice()).status).toBe(200);
  const named = (name: string) => log.records.filter(({ listName }) => listName === name);
  await expect.poll(() => Math.min(named("news").length, named("deals").length)).toBeGreaterThan(0);
  expect(named("deals")[0]).toMatchObject({ account: names.accountId, contact: { identifiers: { cID: names.cID } } });
});
