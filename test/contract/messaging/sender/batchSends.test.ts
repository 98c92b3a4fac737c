import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import { createRenderView } from "@headwater/messaging/tracker/view/renderView";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
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

const addressed = () => world.mails.map(({ mcId }) => mcId.split(":").at(-2) ?? "");

test("a batch message goes to each contact of its audience once, from any number of senders, and ends as sent", async () => {
  const id = await world.make({ ...receipt, message: content("Hello") });
  await world.put(id, "send");
  await world.work(id);
  await world.sendAll();
  await world.work(id);
  expect(reachedBy(world.mails)).toEqual(everybody);
  expect(world.mails.every(({ mcId }) => mcId.includes(`:${id}:b:`) && mcId.endsWith(":1"))).toBe(true);
  expect(world.mails[0]?.raw?.toString()).toContain(`Hello ${addressed()[0]}`);
  const text = "SELECT payload FROM outbox WHERE payload LIKE '%message-sent%' AND payload LIKE $1";
  const reported = await world.service.postgres.query<{ payload: string }>({ text }, [`%${id}%`]);
  expect(reported.map(({ payload }) => payload.includes("messageName"))).toContain(false);
  expect(reported.map(({ payload }) => payload.includes("messageName"))).not.toContain(true);
  expect(await world.see(id)).toMatchObject({ status: "sent", audienceTotal: PEOPLE, delivery: { sent: PEOPLE } });
});

test("a promotional message shows for each contact that is not subscribed why it got nothing", async () => {
  const link = '<a href="{{ links.unsubscribe }}">x</a>';
  const id = await world.make({ audience: MEMBERS, message: email(link, { replyEmail: "a@example.com" }) });
  await world.put(id, "send");
  await world.work(id);
  await world.sendAll();
  await world.work(id);
  expect(world.mails).toEqual([]);
  const delivery = { sent: 0, pending: 0, skipped: { "not-subscribed": PEOPLE } };
  expect(await world.see(id)).toMatchObject({ status: "sent", audienceTotal: PEOPLE, delivery });
  const { body } = await world.call("GET", `/v2/batchmessages/${id}/sends?cID=${cidOf(1)}`);
  const row = { cID: cidOf(1), address: "c1@example.com", state: "skipped", reason: "not-subscribed", attempts: 0 };
  expect(body.data).toMatchObject([row]);
});

test("variants and those who are held out are the same whenever they are asked, and each contact has its reason", async () => {
  const variants = [{ name: "a" }, { name: "b", content: content("Other").content }];
  const tests = [{ type: "split", enabled: true, variants }];
  const id = await world.make({ ...receipt, message: content("First"), tests, entry: { holdoutPercent: 30 } });
  await world.put(id, "send");
  await world.work(id);
  await world.sendAll();
  await world.work(id);
  const { holdout = [], sent = [] } = await world.rows(id);
  expect([...holdout, ...sent].toSorted((a, b) => a - b)).toEqual(everybody);
  expect(reachedBy(world.mails)).toEqual(sent.toSorted((a, b) => a - b));
  // By a hash of the message's id, so that now and then nobody is held out.
  const skipped = holdout.length > 0 ? { holdout: holdout.length } : {};
  expect(Object(await world.see(id)).delivery).toMatchObject({ sent: sent.length, skipped });
  const { postgres } = world.service;
  const text = "SELECT cid, variant FROM sends WHERE message = $1 AND state = 'sent'";
  const stored = await postgres.query<{ cid: string; variant: string }>({ text }, [id]);
  const displayed = world.mails.map(({ mcId, raw }) => [
    mcId.split(":").at(-2),
    raw?.toString().includes("Other") ? "b" : "a",
  ]);
  expect(Object.fromEntries(stored.map(({ cid, variant }) => [cid, variant]))).toEqual(Object.fromEntries(displayed));
});

test("a message is shown in a browser as its contact got it, with its variant, and no longer once its send or its contact is gone", async () => {
  const view = '<p>{{ contact.cID }}</p><script>alert(1)</script><a href="{{ links.view }}">view</a>';
  const variants = [{ name: "a" }, { name: "b", content: content(`Other ${view}`).content }];
  const tests = [{ type: "split", enabled: true, variants }];
  const untracked = { trackLinks: "disabled", trackOpens: false };
  const id = await world.make({ ...receipt, ...untracked, message: content(`First ${view}`), tests });
  await world.put(id, "send");
  await world.work(id);
  await world.sendAll();
  await world.work(id);
  const { postgres } = world.service;
  const renders = createRenderer();
  const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
  const nowMs = Date.now;
  const renderView = createRenderView({
    session: postgres,
    renders,
    tokens,
    nowMs,
    trackingUrl: "https://t.example.com",
  });
  const visible = world.mails.map(({ content: sent }) => {
    const html = sent["text/html"] ?? "";
    const [, text = ""] = /\/t\/v\/([\w-]+)/.exec(html) ?? [];
    const token = tokens.open(text, ["view"]);
    if (token?.names === undefined) throw new Error("the mail has no link to its view");
    return { html, token: { ...token, names: token.names } };
  });
  const text = "SELECT contact, variant FROM sends WHERE message = $1";
  const rows = await postgres.query<{ contact: number; variant: string }>({ text }, [id]);
  const variantOf = new Map(rows.map(({ contact, variant }) => [contact, variant]));
  for (const { html, token } of visible) expect(html.includes("Other") ? "b" : "a").toBe(variantOf.get(token.contact));
  for (const { html, token } of visible) expect((await renderView(token))?.["text/html"]).toBe(html);
  const [{ token: first } = expect.fail(), { token: second } = expect.fail()] = visible;
  await world.sql("DELETE FROM sends WHERE message = $1 AND contact = $2", [id, first.contact]);
  expect(await renderView(first)).toBeUndefined();
  expect(await renderView({ ...second, contact: 999_999 })).toBeUndefined();
  expect(await renderView({ ...second, names: { ...second.names, accountId: "another" } })).toBeUndefined();
  await renders.close();
});

test("links, pixel and unsubscribe address begin with the domain that the message names; an unknown one is refused, also for tests", async () => {
  const html = '<p><a href="https://shop.example/a">a</a> <a href="{{ links.view }}">view</a></p>';
  const created = { ...receipt, message: content(html) };
  const unknown = await world.make({ ...created, vanityDomainKey: "other" });
  expect(await world.put(unknown, "send")).toBe("422 VALIDATION_ERROR");
  const tested = await world.call("PUT", `/v2/batchmessages/${unknown}/sendtest`, { email: ["c1@example.com"] });
  expect([tested.status, tested.body.details[0].path]).toEqual([422, "/vanityDomainKey"]);
  const id = await world.make({ ...created, vanityDomainKey: "shop" });
  const { body: preview } = await world.call("GET", `/v2/batchmessages/${id}/renderedwip/${cidOf(1)}`);
  expect(preview.content["text/html"]).toContain("//links.shop.example/t/v/preview");
  expect(await world.put(id, "send")).toBe("200 pending");
  await world.work(id);
  await world.sendAll();
  const [mail = expect.fail()] = world.mails;
  const text = (mail.raw?.toString() ?? "").replaceAll(/=\r\n/g, "");
  const hosts = [...text.matchAll(/https:\/\/([^/"\s]+)\/t\/\w\//g)].map(([, host]) => host);
  expect(new Set(hosts)).toEqual(new Set(["links.shop.example"]));
  expect(hosts.length).toBeGreaterThanOrEqual(4);
});

test("no more go out than the rate of the transport allows, from any number of senders; the others wait for their turn", async () => {
  const id = await world.make({ ...receipt, message: content("Slow") });
  await world.put(id, "send");
  await world.work(id);
  await world.sendAll({ windows: [{ count: 5, per: { n: 1, unit: "hour" } }] });
  expect(world.mails).toHaveLength(5);
  const { postgres } = world.service;
  const text = "SELECT DISTINCT state, reason FROM sends WHERE message = $1 AND state <> 'sent'";
  expect(await postgres.query({ text }, [id])).toEqual([{ state: "pending", reason: "rate" }]);
  await world.sql("UPDATE sends SET due_at = 0 WHERE message = $1 AND state = 'pending'", [id]);
  await world.sendAll({ windows: [{ count: 5, per: { n: 1, unit: "hour" } }] });
  expect(world.mails).toHaveLength(5);
  expect(await world.see(id)).toMatchObject({ status: "processing", delivery: { sent: 5, pending: PEOPLE - 5 } });
  await world.put(id, "cancel");
});

test("no more of a message go out in a minute than it allows, and its job is throttled meanwhile; another message goes on", async () => {
  const [slow, other] = [
    await world.make({ ...receipt, message: content("Slow"), perMinute: 5 }),
    await world.make({ ...receipt, message: content("Other") }),
  ];
  for (const id of [slow, other]) {
    await world.put(id, "send");
    await world.work(id);
  }
  await world.sendAll();
  for (const id of [slow, other]) await world.work(id);
  expect(await world.see(slow)).toMatchObject({ status: "processing", delivery: { sent: 5, pending: PEOPLE - 5 } });
  expect(await world.see(other)).toMatchObject({ status: "sent", delivery: { sent: PEOPLE } });
  const { postgres } = world.service;
  const jobsOf = () =>
    postgres.query({ text: "SELECT j.status FROM jobs j JOIN batch_messages m ON m.job = j.id WHERE m.id = $1" }, [
      slow,
    ]);
  expect(await jobsOf()).toEqual([{ status: "Throttled" }]);
  // A minute later.
  await world.sql("UPDATE sends SET due_at = 0 WHERE message = $1 AND state = 'pending'", [slow]);
  await world.sql("DELETE FROM pace WHERE gauge = $1", [`m:${slow}`]);
  await world.sendAll();
  expect(await world.see(slow)).toMatchObject({ delivery: { sent: 10, pending: PEOPLE - 10 } });
  await world.put(slow, "cancel");
});

test("contacts that are merged while a message goes out get it once, under whichever number is first", async () => {
  const id = await world.make({ ...receipt, message: content("Once") });
  await world.put(id, "send");
  await world.work(id);
  const merge = "UPDATE contacts SET merged_into = $1 WHERE number IN ($2, $3)";
  await world.sql(merge, [1, 2, 3]);
  await world.sendAll();
  await world.work(id);
  const { sent = [], duplicate = [] } = await world.rows(id);
  expect(sent).toHaveLength(PEOPLE - 2);
  expect(duplicate).toHaveLength(2);
  expect([...sent.filter((one) => one <= 3), ...duplicate].toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  expect(addressed().filter((cid) => [1, 2, 3].map(cidOf).includes(cid))).toHaveLength(1);
});
