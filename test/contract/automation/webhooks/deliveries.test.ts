import { createEventDeliveries, deliverEvents } from "@headwater/automation/webhooks/deliverEvents";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { workOff } from "../../jobs/workOff.ts";
import {
  type Owner,
  type ReceivedCall,
  type Receiver,
  startReceiver,
  startWebhookWorld,
  type WebhookWorld,
} from "./webhookWorld.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let world: WebhookWorld;
let receiver: Receiver;
let owner: Owner;
beforeAll(async () => {
  receiver = await startReceiver({ retryAfter: "3600" });
  world = await startWebhookWorld();
});
afterAll(async () => {
  receiver.stop();
  await world.stop();
});
beforeEach(async () => {
  owner = await world.owner();
});

/** Deletes what a test leaves, so that the next one does not deliver it. */
afterEach(async () => {
  for (const table of ["webhook_deliveries", "webhooks"])
    await world.service.postgres.execute({ text: `DELETE FROM ${table}` });
});

const deliver = () => deliverEvents(world.deliverer());
/** A path of its own for each test. */
let paths = 0;
const fresh = (path = "/ok") => {
  paths += 1;
  return `${path}?${paths}`;
};
const idsOf = (calls: readonly ReceivedCall[]) => calls.map(({ headers }) => headers["webhook-id"]);
const verify = (secret: string, { headers, body }: ReceivedCall) => new Webhook(secret).verify(body, headers);

describe("an event", () => {
  test("is posted once, signed, and is shown as delivered", async () => {
    const path = fresh();
    const { id, secret } = await world.create(owner, { url: receiver.url(path) });
    const event = { source: "once", data: { id: "j1", status: "Done" } };
    await world.publish(owner.account, event);
    await world.publish(owner.account, event);
    await deliver();
    await deliver();
    const [call, ...others] = receiver.received(path);
    if (call === undefined) throw new Error("nothing was posted");
    expect(others).toEqual([]);
    expect(JSON.parse(call.body)).toMatchObject({ type: "job.done", data: { id: "j1", status: "Done" } });
    vi.useFakeTimers({ now: world.clock.nowMs(), toFake: ["Date"] });
    expect(verify(secret, call)).toEqual(JSON.parse(call.body));
    vi.useRealTimers();
    const delivered = { id: call.headers["webhook-id"], event: "job.done", state: "delivered" };
    expect(await world.deliveries(owner, id)).toMatchObject([{ ...delivered, tries: [{ status: 204 }] }]);
    const { body } = await world.service.call(owner.key, `/v2/webhooks/${id}`);
    expect(body.lastDelivery).toMatchObject({ status: 204 });
  });

  test("is signed by both secrets for a day after a rotation", async () => {
    const path = fresh();
    const { id, secret: former } = await world.create(owner, { url: receiver.url(path) });
    const rotation = { method: "PUT", body: { rotateSecret: true } } as const;
    const { body } = await world.service.call(owner.key, `/v2/webhooks/${id}`, rotation);
    await world.publish(owner.account, {});
    await deliver();
    world.clock.setNowMs(Date.now() + DAY_MS);
    await world.publish(owner.account, {});
    await deliver();
    const [both, current] = receiver.received(path);
    if (both === undefined || current === undefined) throw new Error("nothing was posted");
    expect(String(both.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    expect(String(current.headers["webhook-signature"]).split(" ")).toHaveLength(1);
    vi.useFakeTimers({ now: 1_000 * Number(both.headers["webhook-timestamp"]), toFake: ["Date"] });
    for (const secret of [former, body.secret]) expect(verify(secret, both)).toBeDefined();
    vi.setSystemTime(1_000 * Number(current.headers["webhook-timestamp"]));
    expect(verify(body.secret, current)).toBeDefined();
    expect(() => verify(former, current)).toThrow();
    vi.useRealTimers();
  });

  test("is not stored where nobody listens for it", async () => {
    await world.create(owner, { url: receiver.url(fresh()), events: ["alert.raised"] });
    await world.publish(owner.account, {});
    const text = "SELECT id FROM webhook_events WHERE account = $1";
    expect(await world.service.postgres.query({ text }, [owner.account.number])).toEqual([]);
  });

  test("about an activity is posted to those that name it", async () => {
    const [purchases, views] = [fresh(), fresh()];
    const events = ["activity.created"];
    await world.create(owner, { url: receiver.url(purchases), events, filter: { actions: ["purchase"] } });
    await world.create(owner, { url: receiver.url(views), events, filter: { actions: ["view", "search"] } });
    await world.publish(owner.account, { type: "activity.created", action: "purchase" });
    await deliver();
    expect([receiver.received(purchases).length, receiver.received(views).length]).toEqual([1, 0]);
  });

  test("of over 256 KiB is cut to its ids", async () => {
    const path = fresh();
    await world.create(owner, { url: receiver.url(path) });
    const data = { id: "j1", metadata: { text: "ü".repeat(140_000) } };
    await world.publish(owner.account, { data, ids: { id: "j1" } });
    await deliver();
    const [call] = receiver.received(path);
    expect(JSON.parse(String(call?.body))).toMatchObject({ data: { id: "j1" }, truncated: true });
  });
});

describe("a receiver that fails", () => {
  test("gets the same event again under its id, later after Retry-After, and seven times in all", async () => {
    const path = fresh("/status/503");
    const { id } = await world.create(owner, { url: receiver.url(path) });
    await world.publish(owner.account, {});
    const pauses: number[] = [];
    for (let tries = 1; tries <= 8; tries += 1) {
      await deliver();
      expect(receiver.received(path)).toHaveLength(tries);
      const [row] = await world.deliveries(owner, id);
      if (row?.next === undefined) break;
      pauses.push(Math.round((Date.parse(String(row.next)) - world.clock.nowMs()) / MINUTE_MS));
      world.clock.setNowMs(Date.parse(String(row.next)));
    }
    expect(pauses).toEqual([60, 60, 60, 120, 300, 600, 600]);
    expect(new Set(idsOf(receiver.received(path))).size).toBe(1);
    expect(await world.deliveries(owner, id)).toMatchObject([{ state: "failed" }]);
  });

  test("with 410 is disabled at once, and the others of its account hear of it", async () => {
    const [gone, other] = [fresh("/status/410"), fresh()];
    const { id } = await world.create(owner, { url: receiver.url(gone), events: ["job.done", "webhook.disabled"] });
    await world.create(owner, { url: receiver.url(other), events: ["webhook.disabled"] });
    await world.publish(owner.account, {});
    await deliver();
    // What came of the first is an event for the second.
    await deliver();
    expect(receiver.received(gone)).toHaveLength(1);
    expect(receiver.received(other).map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: "webhook.disabled", data: { id, reason: "gone" } },
    ]);
    const { body } = await world.service.call(owner.key, `/v2/webhooks/${id}`);
    expect(body).toMatchObject({ enabled: false, disabledReason: "gone", lastDelivery: { status: 410 } });
  });

  test("for five days without a success is disabled, and keeps what comes", async () => {
    const path = fresh("/status/500");
    const { id } = await world.create(owner, { url: receiver.url(path) });
    const enabled = async () => (await world.service.call(owner.key, `/v2/webhooks/${id}`)).body.enabled;
    await world.publish(owner.account, {});
    await deliver();
    world.clock.setNowMs(world.clock.nowMs() + 5 * DAY_MS - MINUTE_MS);
    await world.publish(owner.account, {});
    await deliver();
    expect(await enabled()).toBe(true);
    world.clock.setNowMs(world.clock.nowMs() + 2 * MINUTE_MS);
    await world.publish(owner.account, {});
    await deliver();
    expect(await enabled()).toBe(false);
    const before = receiver.received(path).length;
    await world.publish(owner.account, {});
    await deliver();
    world.clock.setNowMs(world.clock.nowMs() + DAY_MS);
    await deliver();
    expect(receiver.received(path)).toHaveLength(before);
    expect(await world.deliveries(owner, id, "?state=kept&return_count=true")).not.toHaveLength(0);
  });

  test("by a redirect is not followed, and one that answers 100 MiB is read no further than needed", async () => {
    const [redirect, large] = [fresh("/redirect"), fresh("/large")];
    const { id } = await world.create(owner, { url: receiver.url(redirect) });
    const { id: largeId } = await world.create(owner, { url: receiver.url(large) });
    await world.publish(owner.account, {});
    const began = Date.now();
    await deliver();
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(await world.deliveries(owner, id)).toMatchObject([{ state: "pending", tries: [{ status: 302 }] }]);
    expect(await world.deliveries(owner, largeId)).toMatchObject([{ state: "delivered", tries: [{ status: 200 }] }]);
    expect(receiver.received("/ok")).toEqual([]);
  });

  test("because it died with the answer unsent gets the event again under the same id", async () => {
    const dying = await startReceiver();
    const { id } = await world.create(owner, { url: dying.url("/die") });
    await world.publish(owner.account, {});
    await deliver();
    await dying.restart();
    await world.service.call(owner.key, `/v2/webhooks/${id}`, { method: "PUT", body: { url: dying.url("/ok") } });
    world.clock.setNowMs(world.clock.nowMs() + MINUTE_MS);
    await deliver();
    expect(dying.received().map(({ path }) => path)).toEqual(["/die", "/ok"]);
    expect(new Set(idsOf(dying.received())).size).toBe(1);
    dying.stop();
  });
});

describe("processes that deliver", () => {
  test("share what is due, and post each event once", async () => {
    const path = fresh();
    await world.create(owner, { url: receiver.url(path) });
    await world.publish(owner.account, ...Array.from({ length: 200 }, () => ({})));
    const processes = Array.from({ length: 3 }, () => world.deliverer());
    await Promise.all(processes.map((ports) => deliverEvents(ports)));
    const ids = idsOf(receiver.received(path));
    expect([ids.length, new Set(ids).size]).toEqual([200, 200]);
  });

  test("take over after a kill, once the lease has ended, under the same id", async () => {
    const path = fresh();
    const { id } = await world.create(owner, { url: receiver.url(path) });
    await world.publish(owner.account, {});
    const now = world.clock.nowMs();
    // A process claimed it, posted it and was killed before it stored what came of it.
    const text = `UPDATE webhook_deliveries SET next_at = $2, leased_until = $2 WHERE account = $1`;
    await world.service.postgres.execute({ text }, [owner.account.number, now + MINUTE_MS]);
    await deliver();
    expect(receiver.received(path)).toEqual([]);
    world.clock.setNowMs(now + MINUTE_MS);
    await deliver();
    expect(receiver.received(path)).toHaveLength(1);
    expect(await world.deliveries(owner, id)).toMatchObject([{ state: "delivered" }]);
  });

  test("are not delayed by an endpoint that hangs or trickles, nor by an account with sixty that hang", async () => {
    const [hanging, own, trickling, quick] = [fresh("/hang"), fresh(), fresh("/trickle"), fresh()];
    const other = await world.owner();
    for (let count = 0; count < 60; count += 1) await world.create(owner, { url: receiver.url(hanging) });
    await world.create(owner, { url: receiver.url(own), events: ["job.failed"] });
    await world.create(other, { url: receiver.url(trickling) });
    await world.create(other, { url: receiver.url(quick) });
    await world.publish(owner.account, ...Array.from({ length: 20 }, () => ({})));
    const loop = createEventDeliveries(world.deliverer());
    loop.start();
    await vi.waitFor(() => expect(receiver.received(hanging).length).toBeGreaterThan(60), { timeout: 10_000 });
    const began = Date.now();
    await world.publish(owner.account, { type: "job.failed" });
    await world.publish(other.account, ...Array.from({ length: 100 }, () => ({})));
    await vi.waitFor(() => expect([receiver.received(own).length, receiver.received(quick).length]).toEqual([1, 100]), {
      timeout: 12_000,
    });
    const tookMs = Date.now() - began;
    expect(tookMs).toBeLessThan(5_000);
    // No hanging call has come to its end: each of them held its slot all the time.
    await loop.stop();
  }, 60_000);

  test("have at most ten calls open to an endpoint, together", async () => {
    const path = fresh("/slow/500");
    await world.create(owner, { url: receiver.url(path) });
    await world.publish(owner.account, ...Array.from({ length: 80 }, () => ({})));
    const loops = Array.from({ length: 2 }, () => createEventDeliveries(world.deliverer()));
    for (const loop of loops) loop.start();
    await vi.waitFor(() => expect(receiver.received(path).length).toBe(80), { timeout: 20_000 });
    await Promise.all(loops.map((loop) => loop.stop()));
    const calls = receiver.received(path);
    const open = calls.map(({ at }) => calls.filter((other) => other.at <= at && at < other.at + 500).length);
    expect(Math.max(...open)).toBeLessThanOrEqual(10);
    expect(Math.max(...open)).toBeGreaterThan(5);
  }, 60_000);
});

describe("a disabled webhook", () => {
  const put = (id: string, body: object) =>
    world.service.call(owner.key, `/v2/webhooks/${id}`, { method: "PUT", body });
  const replay = (id: string, body: object = {}) => {
    const range = { from: "2020-01-01", to: "2099-01-01", ...body };
    return world.service.call(owner.key, `/v2/webhooks/${id}/replay`, { method: "POST", body: range });
  };
  const runReplay = async (id: string, body?: object) => {
    const started = await replay(id, body);
    await workOff(world.service, started.body.jobId);
    return (await world.service.call(owner.key, `/v2/jobs/${started.body.jobId}`)).body;
  };

  test("keeps what comes, sends nothing when it is enabled, and posts it by a replay under its ids", async () => {
    const path = fresh();
    // The replay is a job, whose end is an event as well.
    const type = "message.status";
    const { id } = await world.create(owner, { url: receiver.url(path), events: [type] });
    await world.publish(owner.account, { type });
    await put(id, { enabled: false });
    await world.publish(owner.account, { type }, { type });
    await deliver();
    expect(await world.deliveries(owner, id, "?state=kept")).toHaveLength(3);
    expect((await replay(id)).status).toBe(409);
    await put(id, { enabled: true });
    await deliver();
    expect(receiver.received(path)).toEqual([]);
    expect(await runReplay(id)).toMatchObject({ status: "Done", result: { updated: 3 } });
    world.clock.setNowMs(Math.max(world.clock.nowMs(), Date.now() + 1_000));
    await deliver();
    const ids = (await world.deliveries(owner, id)).map((one) => one.id);
    expect(idsOf(receiver.received(path)).toSorted()).toEqual(ids.toSorted());
    expect(await world.deliveries(owner, id, "?state=delivered")).toHaveLength(3);
    expect(await runReplay(id)).toMatchObject({ result: { updated: 0 } });
    expect(await runReplay(id, { states: ["delivered"], events: ["job.failed"] })).toMatchObject({
      result: { updated: 0 },
    });
    expect(await runReplay(id, { states: ["delivered"] })).toMatchObject({ result: { updated: 3 } });
  });

  test("gets nothing once it is deleted, and nothing waits for it", async () => {
    const path = fresh();
    const { id } = await world.create(owner, { url: receiver.url(path) });
    await world.publish(owner.account, {});
    await world.service.call(owner.key, `/v2/webhooks/${id}`, { method: "DELETE" });
    await deliver();
    expect(receiver.received(path)).toEqual([]);
    const text = "SELECT event FROM webhook_deliveries WHERE account = $1 AND next_at IS NOT NULL";
    expect(await world.service.postgres.query({ text }, [owner.account.number])).toEqual([]);
  });

  test("can be tested, and the answer says what came of it", async () => {
    const [path, broken] = [fresh(), fresh("/status/500")];
    const { id, secret } = await world.create(owner, { url: receiver.url(path), enabled: false });
    const tested = () => world.service.call(owner.key, `/v2/webhooks/${id}/test`, { method: "POST" });
    const { body } = await tested();
    const [call] = receiver.received(path);
    if (call === undefined) throw new Error("nothing was posted");
    expect(body).toMatchObject({ ok: true, status: 204, id: call.headers["webhook-id"] });
    expect(verify(secret, call)).toMatchObject({ type: "webhook.test", data: { id } });
    await put(id, { url: receiver.url(broken) });
    expect((await tested()).body).toMatchObject({ ok: false, status: 500 });
    await put(id, { url: "https://127.0.0.1:1/" });
    expect((await tested()).body).toMatchObject({ ok: false, status: null, error: "The call failed: ECONNREFUSED." });
  });
});
