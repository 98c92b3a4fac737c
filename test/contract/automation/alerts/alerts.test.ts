import { evaluateAlerts } from "@headwater/automation/alerts/evaluateAlerts";
import type { Account } from "@headwater/contracts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readGuide } from "../../service/guide.ts";
import { storedTime } from "../../service/running.ts";
import { type Receiver, startReceiver } from "../webhooks/webhookWorld.ts";
import {
  type AlertWorld,
  AT,
  type Happened,
  type MailServer,
  MINUTE,
  startAlertWorld,
  startMailServer,
} from "./alertWorld.ts";

let world: AlertWorld;
let mailServer: MailServer;
let receiver: Receiver;
let owner: { readonly account: Account; readonly key: string };
beforeAll(async () => {
  [mailServer, receiver] = await Promise.all([startMailServer(), startReceiver()]);
  world = await startAlertWorld(mailServer);
});
afterAll(async () => {
  receiver.stop();
  await world.stop();
  await mailServer.stop();
});
beforeEach(async () => {
  world.clock.setNowMs(AT);
  for (const table of ["alerts", "alert_turns", "alert_mails", "store_lags"])
    await world.service.postgres.execute({ text: `DELETE FROM ${table}` });
  mailServer.mails.length = 0;
  owner = await world.owner();
});

async function post(path: string, body: object) {
  const answer = await world.service.call(owner.key, path, { method: "POST", body });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body;
}

const watching = { enabled: true, notify: ["ops@example.com", "chief@example.com"], period: 30 };
/** Creates an alert that is due by the clock of the test. */
async function create(body: object): Promise<string> {
  const { id } = await post("/v2/alerts", { ...watching, ...body });
  await world.service.postgres.execute({ text: "UPDATE alert_turns SET due_at = 0" });
  return id;
}
const read = async (id: string) => (await world.service.call(owner.key, `/v2/alerts/${id}`)).body;
const above = (value: number) => ({ conditions: [{ operator: "gt", value }] });
const each = (count: number, one: Omit<Happened, "contact">): Happened[] =>
  Array.from({ length: count }, (_, n) => ({ ...one, contact: n + 1 }));
const subjectsOf = () =>
  mailServer.mails.map(({ raw }) => /^Subject: (.*(?:\r\n .*)*)/m.exec(raw)?.[1]?.replaceAll("\r\n", ""));
const calls = () => receiver.received(`/${owner.account.id}`);

test("an alert is raised once, told of again after an hour, and cleared, by mail and by webhook", async () => {
  const settings = { host: "127.0.0.1", port: mailServer.port, tls: "none", fromDomains: ["shop.example"] };
  await post("/v2/transports", { name: "Mail", channel: "email", type: "smtp", default: true, settings });
  await post("/v2/webhooks", { url: receiver.url(`/${owner.account.id}`), events: ["alert.raised", "alert.cleared"] });
  const msID = await world.createMessage(owner.account, "Spring\r\nBcc: x@example.com");
  const id = await create({ type: "bounce-rate", msID, ...above(0.1) });
  await world.happen(
    owner.account,
    msID,
    ...each(20, { action: "message-sent", at: -2 }),
    ...each(5, { action: "bounce", at: -1 }),
  );
  await world.work();
  await world.advance(1);
  expect(await read(id)).toMatchObject({ state: "raised", value: 0.25, lastRaised: new Date(AT).toISOString() });
  expect(mailServer.mails.map(({ to }) => to).sort()).toEqual(["chief@example.com", "ops@example.com"]);
  expect(new Set(subjectsOf())).toEqual(new Set(["[Headwater] bounce-rate of Spring Bcc: x@example.com is 0.25"]));
  expect(mailServer.mails.every(({ raw }) => /^From: Headwater <alerts@shop.example>\r$/m.test(raw))).toBe(true);
  expect(mailServer.mails.some(({ raw }) => /^Bcc:/m.test(raw))).toBe(false);
  expect(calls().map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: "alert.raised", data: { id, value: 0.25 } },
  ]);
  const message = await world.service.call(owner.key, `/v2/batchmessages/${msID}`);
  expect(message.body.alerts).toMatchObject([{ id, state: "raised" }]);
  await world.happen(
    owner.account,
    msID,
    ...each(10, { action: "message-sent", at: 59 }),
    ...each(4, { action: "bounce", at: 59 }),
  );
  await world.advance(60);
  expect(subjectsOf()).toContain("[Headwater] bounce-rate of Spring Bcc: x@example.com is still 0.4");
  const [first, again] = calls();
  expect(again?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(JSON.parse(String(again?.body))).toMatchObject({ data: { value: 0.4 } });
  await world.advance(40);
  expect(await read(id)).toMatchObject({ state: "unjudged" });
  await world.happen(
    owner.account,
    msID,
    ...each(10, { action: "message-sent", at: 101 }).map((one) => ({ ...one, contact: one.contact + 50 })),
  );
  await world.advance(2);
  expect(await read(id)).toMatchObject({ state: "ok", value: 0 });
  expect(calls().map(({ body }) => JSON.parse(body).type)).toEqual(["alert.raised", "alert.raised", "alert.cleared"]);
  expect(mailServer.mails).toHaveLength(6);
});

test("each type counts what its name says, of the period alone and without machines", async () => {
  const msID = await world.createMessage(owner.account);
  await world.happen(owner.account, msID, ...each(10, { action: "message-sent", at: -5 }));
  await world.happen(
    owner.account,
    msID,
    { action: "message-sent", at: -40, contact: 90 },
    { action: "bounce", at: -5, contact: 90 },
  );
  await world.happen(
    owner.account,
    msID,
    ...each(2, { action: "bounce", at: -4, properties: { bounceType: "soft" } }),
    ...each(3, { action: "open", at: -4 }),
    ...each(3, { action: "open", at: -3 }),
    ...each(8, { action: "open", at: -4, properties: { machine: true } }),
    ...each(1, { action: "click", at: -4 }),
    ...each(1, { action: "optout", at: -4 }),
    ...each(4, { action: "complaint", at: -4 }),
    ...each(9, { action: "complaint", at: 1 }),
  );
  const order = { contact: 1, order_id: "o1", purchased_at: storedTime(AT - 5 * MINUTE), counts: 1, deleted: 0 };
  const document = JSON.stringify({ msID });
  await world.service.insert("orders_current", owner.account, [
    { ...order, currency: owner.account.settings.currency, total: "12.5", document },
    { ...order, order_id: "o2", currency: "CHF", total: "99", document },
  ]);
  const expected = {
    ...{ "total-sent": 10, "delivered-rate": 0.8, "bounce-rate": 0.2, "complaint-rate": 0.4, "optout-rate": 0.1 },
    ...{ "open-rate": 0.3, "click-rate": 0.1, revenue: 12.5 },
  };
  const ids = new Map<string, string>();
  for (const type of Object.keys(expected)) ids.set(type, await create({ type, msID, notify: [], ...above(0) }));
  await world.work();
  const values = await Promise.all([...ids].map(async ([type, id]) => [type, (await read(id)).value]));
  expect(Object.fromEntries(values)).toEqual(expected);
});

test("a store that lags raises lag-seconds and no false rate", async () => {
  const msID = await world.createMessage(owner.account);
  const [rate, lag] = [
    await create({ type: "delivered-rate", msID, conditions: [{ operator: "lt", value: 0.9 }] }),
    await create({ type: "lag-seconds", ...above(300) }),
  ];
  await world.happen(owner.account, msID, ...each(10, { action: "message-sent", at: -2 }));
  const asOf = world.clock.nowMs();
  const lagging = { ...world.evaluation, storesAsOf: () => asOf };
  await evaluateAlerts(lagging);
  // Bounces of what is not there yet: half of a truth.
  await world.happen(owner.account, msID, ...each(5, { action: "bounce", at: 1 }));
  world.clock.advance(10 * MINUTE);
  await evaluateAlerts(lagging);
  expect([(await read(rate)).state, (await read(lag)).state]).toEqual(["ok", "raised"]);
  expect(await read(lag)).toMatchObject({ value: 600 });
  await world.advance(1);
  expect((await read(rate)).state).toBe("raised");
  // Without a transport mails go out by the server of the installation.
  expect(mailServer.mails).toHaveLength(6);
  expect(mailServer.mails.every(({ raw }) => /^From: Headwater <ops@headwater.example>\r$/m.test(raw))).toBe(true);
});

test("a trial over the past says what evaluations at each minute would have raised", async () => {
  const msID = await world.createMessage(owner.account);
  for (let at = 0; at < 24; at += 3) {
    const many = each(3 + (at % 7), { action: "message-sent", at });
    const answers = each(at % 4, { action: "bounce", at: at + (at % 5) });
    await world.happen(
      owner.account,
      msID,
      ...[...many, ...answers].map((one) => ({ ...one, contact: one.contact + at * 100 })),
    );
  }
  const rules = { type: "bounce-rate", msID, conditions: [{ operator: "gte", value: 0.25 }], period: 16, notify: [] };
  const id = await create(rules);
  const raised: { from: string; to?: string; value: number }[] = [];
  for (let minute = 0; minute < 45; minute += 1) {
    await evaluateAlerts(world.evaluation);
    const { state, value, asOf } = await read(id);
    const open = raised.at(-1);
    const isOpen = open !== undefined && open.to === undefined;
    if (state === "raised" && !isOpen) raised.push({ from: asOf, value });
    if (state === "ok" && isOpen) open.to = asOf;
    world.clock.advance(MINUTE);
  }
  expect(raised.length).toBeGreaterThan(1);
  const { data } = await post("/v2/alerts/test", { ...watching, ...rules });
  expect(data).toEqual(raised);
});

test("a webhook that is disabled is told of by mail to those who watch for it", async () => {
  await create({ type: "webhook-disabled", ...above(5) });
  await create({ type: "jobs-failed", notify: ["else@example.com"], ...above(5) });
  const { id } = await post("/v2/webhooks", { url: receiver.url("/status/410"), events: ["alert.raised"] });
  await create({ type: "lag-seconds", notify: [], conditions: [{ operator: "gte", value: 0 }] });
  await world.work();
  await world.advance(1);
  expect(mailServer.mails.map(({ to }) => to).sort()).toEqual(["chief@example.com", "ops@example.com"]);
  expect(subjectsOf()[0]).toBe(`[Headwater] webhook ${id} on 127.0.0.1 was disabled`);
});

test("every step of the guide is answered as it says", async () => {
  const guide = readGuide("alerts");
  for (const step of guide.steps) {
    const { method, path, input } = guide.callOf(step);
    const { status, body, text } = await world.service.call(owner.key, path, { method, body: input });
    expect([status < 300, text]).toEqual([true, text]);
    guide.compare(step, body);
  }
  expect(guide.steps).toHaveLength(5);
});
