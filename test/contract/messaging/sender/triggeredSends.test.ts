import type { PublishedIntents } from "@headwater/contracts";
import { manualClock } from "@headwater/kernel";
import { endLostSends } from "@headwater/messaging/sends/endLostSends";
import { insertLostIntents } from "@headwater/messaging/sends/lostIntents";
import { createRenderView } from "@headwater/messaging/tracker/view/renderView";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import type { LogFrame } from "@headwater/topics";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AT, frameOf, stateOf, takeOver } from "../../intake/projector/memoryStream.ts";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

let world: SenderWorld;
const log = new Map<number, LogFrame[]>([[0, []]]);
beforeAll(async () => {
  world = await senderWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.mails.length = 0;
});

const clock = manualClock(AT);
let records = 0;

/** Appends activities of contacts to the log, one frame each. @returns the id of the last record. */
function happen(address: string, name: string, properties: object = {}, more: object = {}): string {
  const id = `request${++records}:0:0`;
  const contact = { identifiers: { email: address }, canBeCreated: true };
  const event = { name, time: "2026-01-01T10:00:00Z", properties };
  const frames = log.get(0) ?? [];
  const value = frameOf("createContactactivities", world.account.id, [{ id, receivedAt: AT, contact, event, ...more }]);
  frames.push({ offset: frames.length, timeMs: AT + frames.length, key: undefined, value, headers: {} });
  return id;
}

/** A new projector takes the partition over and applies what is there; then senders do what is to be done. */
async function runAll(): Promise<void> {
  await takeOver(stateOf(world.postgres, world.account, clock), 0, log);
  await sendAll();
}

async function sendAll(): Promise<void> {
  const sender = world.sender();
  while (await sender.wantOnce());
  await world.sendAll(sender);
}

const on = (action: string, where?: object[], html = "<p>{{ event.properties.sku }} {{ links.unsubscribe }}</p>") =>
  [
    { classification: "transactional", triggers: { event: { enabled: true, action, ...(where && { where }) } } },
    html,
  ] as const;
const texts = () => world.mails.map(({ address, content }) => `${address} ${content["text/plain"]?.split(" ")[0]}`);

describe("an activity that fits the trigger of a template", () => {
  test("sends the template to its contact with the activity in it, and no other activity does", async () => {
    const where = [{ field: "cart.total", op: "gte", value: 50 }];
    expect((await world.make("left", ...on("cart-left", where))).status).toBe(201);
    happen("ada@example.org", "cart-left", { "cart.total": 80, sku: "A-1" });
    happen("bob@example.org", "cart-left", { "cart.total": 20, sku: "B-1" });
    happen("cid@example.org", "browse", { "cart.total": 80, sku: "C-1" });
    await runAll();
    expect(texts()).toEqual(["ada@example.org A-1"]);
    expect(await world.states("left")).toEqual(["sent"]);
    expect(world.mails[0]?.mcId).toMatch(/:d\d{6}:a:[0-9a-f]{24}:1$/);
  });

  test("is shown in a browser as well", async () => {
    await world.make("viewed", ...on("viewed", undefined, '<a href="{{ links.view }}">{{ event.properties.sku }}</a>'));
    happen("ada@example.org", "viewed", { sku: "V-1" });
    await runAll();
    const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
    const [, sealed = ""] = /\/t\/v\/([\w-]+)/.exec(world.mails[0]?.content["text/html"] ?? "") ?? [];
    const { names, ...token } = tokens.open(sealed, ["view"]) ?? expect.fail();
    const { renders } = world.ways;
    const trackingUrl = "https://t.example.com";
    const renderView = createRenderView({ session: world.postgres, renders, tokens, trackingUrl, nowMs: Date.now });
    const view = await renderView({ ...token, names: names ?? expect.fail() });
    expect(view?.["text/html"]).toContain(">V-1</a>");
  });

  test("is sent for once, whatever is read again: by another projector, or the whole log from its beginning", async () => {
    await world.make("again", ...on("again"));
    happen("ada@example.org", "again", { sku: "A-2" });
    happen("ada@example.org", "again", { sku: "A-3" });
    await runAll();
    expect(texts()).toEqual(["ada@example.org A-2", "ada@example.org A-3"]);
    await runAll();
    const text = "UPDATE stream_offsets SET next_offset = 0, window_from = 0, last_record_id = NULL, greatest_time = 0";
    await world.postgres.execute({ text });
    await runAll();
    expect(world.mails).toHaveLength(2);
    expect(await world.states("again")).toEqual(["sent", "sent"]);
  });

  test("is sent for once, though Postgres lost the send after the mail went out and the log is read again", async () => {
    await world.make("lost", ...on("lost"));
    const record = happen("ada@example.org", "lost", { sku: "L-1" });
    await takeOver(stateOf(world.postgres, world.account, clock), 0, log);
    const published: PublishedIntents[] = [];
    const publish = async (intents: PublishedIntents) => void published.push(intents);
    const sender = world.sender({ intents: { isReady: () => true, publish } });
    while (await sender.wantOnce());
    await world.sendAll(sender);
    expect(texts()).toEqual(["ada@example.org L-1"]);
    // As a copy from before the activity has it, after a recovery.
    const lost = published.flatMap(({ account, at, sends }) => sends.map((one) => ({ account, at, ...one })));
    expect(lost).toHaveLength(1);
    const message = lost[0]?.message ?? "";
    await world.postgres.execute({ text: "DELETE FROM triggered_events WHERE record_id = $1" }, [record]);
    await world.postgres.execute({ text: "DELETE FROM send_wants WHERE template = 'lost'" });
    await world.postgres.execute({ text: "DELETE FROM sends WHERE message = $1" }, [message]);
    await world.postgres.transaction(async (transaction) => {
      await endLostSends(transaction, lost);
      await insertLostIntents(transaction, lost);
    });
    await world.postgres.execute({
      text: "UPDATE stream_offsets SET next_offset = 0, window_from = 0, last_record_id = NULL, greatest_time = 0",
    });
    await world.postgres.execute({ text: "DELETE FROM applied_records" });
    await runAll();
    expect(texts()).toEqual(["ada@example.org L-1"]);
    expect((await world.states("lost")).toSorted()).toEqual(["skipped duplicate", "unknown answer-lost"]);
  });

  test("is sent for by one of two senders that begin at the same moment", async () => {
    await world.make("twice", ...on("twice"));
    for (let index = 0; index < 5; index++) happen(`p${index}@example.org`, "twice", { sku: `${index}` });
    await takeOver(stateOf(world.postgres, world.account, clock), 0, log);
    const senders = [world.sender(), world.sender()];
    await Promise.all(senders.map((sender) => retryOnConflict(() => sender.wantOnce())));
    await sendAll();
    expect(texts().toSorted()).toEqual([0, 1, 2, 3, 4].map((position) => `p${position}@example.org ${position}`));
  });

  test("says in the list of sends why somebody got nothing", async () => {
    const [more, html] = on("shy");
    await world.make("shy", { ...more, classification: "promotional" }, html);
    happen("eve@example.org", "shy");
    await runAll();
    expect(await world.states("shy")).toEqual(["skipped not-subscribed"]);
  });

  test("is not sent for when comparing it costs too much, and the account's log says so once a minute", async () => {
    const where = Array.from({ length: 10 }, (_, n) => {
      return { field: "text", op: "notContains", value: `b${"a".repeat(1_000 + n)}` };
    });
    const names = ["costly1", "costly2", "costly3", "costly4"];
    for (const name of names) await world.make(name, ...on("costly", where));
    happen("ada@example.org", "costly", { text: "a".repeat(230 * 1024) });
    happen("bob@example.org", "costly", { text: "a".repeat(230 * 1024) });
    happen("cid@example.org", "costly", { text: "a", sku: "C-1" });
    await runAll();
    expect(texts().filter((text) => text.endsWith("C-1"))).toHaveLength(4);
    const sent = await Promise.all(names.map(async (name) => [name, (await world.states(name)).length] as const));
    // Three of them are compared with the long texts, in any order; what the last one costs is too much.
    const spared = sent.filter(([, count]) => count === 1).map(([name]) => name);
    expect(spared.length).toBeGreaterThan(0);
    const entries = await world.postgres.query({
      text: "SELECT category, level, action, target FROM account_log WHERE action = 'compareEventTrigger' ORDER BY target",
    });
    const warning = { category: "Automated messages", level: 2, action: "compareEventTrigger" };
    for (const target of spared) expect(entries).toContainEqual({ ...warning, target });
    expect(new Set(entries.map(({ target }) => target)).size).toBe(entries.length);
  });

  test("is not sent for when its record suppresses triggers", async () => {
    await world.make("quiet", ...on("quiet"));
    happen("ada@example.org", "quiet", { sku: "Q-1" }, { suppressTriggers: true });
    happen("ada@example.org", "quiet", { sku: "Q-2" });
    await runAll();
    expect(texts()).toEqual(["ada@example.org Q-2"]);
  });

  test("is not sent for twice when its record is redriven, refused or repeated", async () => {
    await world.make("redriven", ...on("redriven"));
    const event = { name: "redriven", time: "2026-01-01T10:00:00Z", UID: "u1", properties: { sku: "R-1" } };
    const id = happen("ada@example.org", "redriven", {}, { event });
    happen("ada@example.org", "redriven", {}, { event });
    happen("ada@example.org", "redriven", {}, { event, redriveOf: id });
    happen("nobody@example.org", "redriven", {}, { contact: { identifiers: { email: "nobody@example.org" } } });
    await runAll();
    expect(texts()).toEqual(["ada@example.org R-1"]);
  });
});

describe("a trigger", () => {
  const change = (key: string, more: object) =>
    world.call("PUT", `${ROOT}/${key}`, {
      message: {
        headers: { subject: "Hello", fromEmail: "news@example.com", fromDesc: "Shop" },
        content: { "text/html": "<p>again {{ links.unsubscribe }}</p>" },
      },
      ...more,
    });

  test("listens from the answer that enables it to the one that disables it, and once the template is published", async () => {
    const [more, html] = on("listen");
    await world.make("listen", { ...more, draftContent: true }, html);
    happen("a@example.org", "listen");
    await runAll();
    expect(world.mails).toEqual([]);
    await world.call("PUT", `${ROOT}/listen/publish`);
    happen("b@example.org", "listen");
    await runAll();
    expect(world.mails.map(({ address }) => address)).toEqual(["b@example.org"]);
    await change("listen", { triggers: { event: { enabled: false, action: "listen" } } });
    happen("c@example.org", "listen");
    await runAll();
    expect(world.mails).toHaveLength(1);
  });

  test("of a template that is deleted sends nothing more", async () => {
    await world.make("gone", ...on("gone"));
    happen("a@example.org", "gone");
    await takeOver(stateOf(world.postgres, world.account, clock), 0, log);
    await world.call("DELETE", `${ROOT}/gone`);
    happen("b@example.org", "gone");
    await runAll();
    expect(world.mails).toEqual([]);
  });

  test("of another account hears nothing", async () => {
    const other = { triggers: { event: { enabled: true, action: "mine" } }, classification: "transactional" };
    const message = {
      headers: { subject: "x", fromEmail: "a@example.com", fromDesc: "x" },
      content: { "text/html": "x" },
    };
    const body = { key: "mine", name: "mine", channel: "email", baseAggregation: "daily", message, ...other };
    expect((await world.otherCall("POST", ROOT, body)).status).toBe(201);
    happen("a@example.org", "mine");
    await runAll();
    expect(await world.postgres.query({ text: "SELECT FROM triggered_events WHERE event IS NOT NULL" })).toEqual([]);
    expect(world.mails).toEqual([]);
  });
});

test("an erasure takes away what a contact's activities are still to be sent for", async () => {
  await world.make("erased", ...on("erased"));
  happen("gone@example.org", "erased", { sku: "secret" });
  await takeOver(stateOf(world.postgres, world.account, clock), 0, log);
  expect((await world.call("DELETE", "/v2/contacts/gone@example.org")).status).toBeLessThan(300);
  await sendAll();
  const text = "SELECT 1 FROM triggered_events WHERE event LIKE '%secret%'";
  expect([world.mails, await world.postgres.query({ text })]).toEqual([[], []]);
});

test("an account with very many activities to send for does not keep another one waiting", async () => {
  const message = {
    headers: { subject: "x", fromEmail: "a@example.com", fromDesc: "x" },
    content: { "text/html": "x" },
  };
  const other = {
    key: "few",
    name: "few",
    channel: "email",
    baseAggregation: "daily",
    classification: "transactional",
    message,
  };
  expect((await world.otherCall("POST", ROOT, other)).status).toBe(201);
  await world.make("many", ...on("many"));
  happen("ada@example.org", "many");
  await takeOver(stateOf(world.postgres, world.account, clock), 0, log);
  const more = `INSERT INTO triggered_events SELECT account, record_id || i, mdt_id, contact, event, at - 1
    FROM triggered_events, generate_series(1, 1000) AS i WHERE event IS NOT NULL`;
  await world.postgres.execute({ text: more });
  const one = `INSERT INTO triggered_events SELECT account, 'r1', mdt_id, 1, '{}', 9000000000000 FROM automation_templates WHERE key = 'few'`;
  await world.postgres.execute({ text: one });
  await world.sender().wantOnce();
  const left =
    "SELECT account = $1 AS mine, count(*) AS count FROM triggered_events WHERE event IS NOT NULL GROUP BY 1";
  expect(await world.postgres.query({ text: left }, [world.account.number])).toEqual([{ mine: true, count: 901 }]);
});
