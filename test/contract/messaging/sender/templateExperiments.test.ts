import { manualClock } from "@headwater/kernel";
import { createExperimentStep } from "@headwater/messaging/jobs/templateExperiments";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cidOf } from "../batchMessages/sendWorld.ts";
import { loadCampaign } from "../messages/loadCampaign.ts";
import { problems, ROOT, template } from "../templates/templateWorld.ts";
import { type BatchWorld, batchWorld, content } from "./batchWorld.ts";
import { deliverOutbox, did } from "./deliverOutbox.ts";

const MINUTE_MS = 60_000;
const HALF = 200;
const everybody = Array.from({ length: 2 * HALF }, (_, index) => index + 1);
const [first, second] = [everybody.slice(0, HALF), everybody.slice(HALF)];
const numbers = new Map(everybody.map((number) => [cidOf(number), number]));
const variants = [{ name: "short" }, { name: "long", content: content("Long").content }];
const split = { type: "split", enabled: true, variants };
let world: BatchWorld;

beforeAll(async () => {
  world = await batchWorld();
  await world.join(everybody);
});
afterAll(() => world.stop());
beforeEach(() => void world.mails.splice(0));

const make = (key: string, tests: readonly object[], more: object = {}) =>
  world.call("POST", ROOT, template(key, content("Short"), { classification: "transactional", tests, ...more }));
const see = async (key: string) => (await world.call("GET", `${ROOT}/${key}`)).body;
const performance = (key: string) => world.call("GET", `${ROOT}/${key}/experimentperformance`);

/** Sends a template to contacts. */
async function send(key: string, contacts: readonly number[]): Promise<void> {
  for (let position = 0; position < contacts.length; position += 100) {
    const to = contacts.slice(position, position + 100).map((contact) => ({ email: `c${contact}@example.com` }));
    const { status, text } = await world.call("POST", `${ROOT}/${key}/send`, { to });
    expect([status, text]).toEqual([200, expect.any(String)]);
  }
  const sender = world.sender("one");
  while (await sender.sendOnce());
}

/** Contacts of the sends of a template, by variant; `own` got the template's own content. */
async function sentByVariant(key: string): Promise<Readonly<Record<string, readonly number[]>>> {
  const text = `SELECT s.contact, COALESCE(s.variant, 'own') AS variant FROM sends s
    JOIN template_children c ON c.account = s.account AND c.id = s.message
    WHERE c.account = $1 AND c.key = $2 AND s.state = 'sent' ORDER BY s.contact`;
  const values = [world.account.number, key];
  const rows = await world.service.postgres.query<{ contact: number; variant: string }>({ text }, values);
  const groups = Map.groupBy(rows, ({ variant }) => variant);
  return Object.fromEntries([...groups].map(([variant, all]) => [variant, all.map(({ contact }) => contact)]));
}

/** Some contacts click what they got. */
async function click(key: string, contacts: readonly number[]): Promise<void> {
  const { mdtID } = await see(key);
  const { postgres, clickHouse } = world.service;
  const text = "SELECT DISTINCT message FROM sends WHERE message LIKE $1";
  const [row] = await postgres.query<{ message: string }>({ text }, [`${mdtID}:%`]);
  const mcId = (contact: number) => `${world.account.id}:${row?.message}:a:${cidOf(contact)}:1`;
  const activities = contacts.map((contact) => did(contact, "click", mcId(contact)));
  await loadCampaign(clickHouse, world.account.number, { aliases: new Map(), activities, orders: [] });
}

/** Lets a worker look three times some minutes from now, as it goes through the outbox, the log and what is stored. */
async function findIn(minutes: number): Promise<void> {
  const { postgres, clickHouse: clickhouse } = world.service;
  const clock = manualClock(Date.now() + minutes * MINUTE_MS);
  const step = createExperimentStep({ postgres, clickhouse, clock, highWatermarks: async () => [] });
  for (let check = 0; check < 3; check += 1) await step();
}

test("a split gives each contact one variant, whenever it is sent to, and counts by variant", async () => {
  expect((await make("split", [split], { baseAggregation: "hourly" })).status).toBe(201);
  await send("split", first);
  const sent = await sentByVariant("split");
  expect(Object.keys(sent).toSorted()).toEqual(["long", "short"]);
  const { subject, text } = { subject: world.mails[0]?.headers.subject, text: String(world.mails[0]?.raw) };
  expect([subject, /Short|Long/.test(text)]).toEqual(["Hi", true]);
  await deliverOutbox(world, numbers);
  await click("split", (sent.long ?? []).slice(0, 7));

  await send("split", first);
  const both = await sentByVariant("split");
  expect(both.long).toEqual((sent.long ?? []).flatMap((contact) => [contact, contact]));
  await deliverOutbox(world, numbers);
  const { status, body } = await performance("split");
  expect([status, body]).toMatchObject([200, { name: "split", strategy: "split", totalAudience: 2 * HALF }]);
  const [short, long] = body.variants;
  expect([short.stats.sends, short.stats.clicks]).toEqual([2 * (sent.short?.length ?? 0), 0]);
  expect([long.stats.sends, long.stats.uniqueClicks]).toEqual([2 * (sent.long?.length ?? 0), 7]);

  // In another hour everybody gets the same once more.
  const before = "UPDATE sends SET message = split_part(message, ':', 1) || ':h26010100' WHERE message LIKE $1";
  await world.sql(before, [`${(await see("split")).mdtID}:%`]);
  await world.sql("UPDATE template_children SET id = mdt_id || ':h26010100' WHERE key = $1", ["split"]);
  await send("split", first);
  const third = await sentByVariant("split");
  expect(third.long).toEqual((sent.long ?? []).flatMap((contact) => [contact, contact, contact]));
});

test("the numbers of a template stand beside it and in the list, by one definition", async () => {
  await make("counted", [split]);
  await make("silent", []);
  await send("counted", first.slice(0, 30));
  await deliverOutbox(world, numbers);
  await click("counted", first.slice(0, 3));
  const { stats, asOf } = await see("counted");
  expect(stats).toMatchObject({ sent: 30, delivered: 30, clicks: 3, opens: 0 });
  expect(asOf).toMatch(/Z$/);
  const listed = (await world.call("GET", `${ROOT}?fields=key,stats&per_page=100`)).body;
  const of = (key: string) => listed.data.find((one: { key: string }) => one.key === key);
  expect(of("counted")).toEqual({ key: "counted", stats });
  expect(of("silent").stats).toMatchObject({ sent: 0, clicks: 0 });
  expect(listed.asOf).toMatch(/Z$/);
  const whole = (await world.call("GET", `${ROOT}?per_page=100`)).body.data;
  expect(whole.find(({ key }: { key: string }) => key === "counted")).toMatchObject({ stats, alerts: [] });
  expect((await world.call("GET", `${ROOT}?fields=key&per_page=1`)).body.data[0]).not.toHaveProperty("stats");
  const children = (await world.call("GET", `/v2/batchmessages?fields=id,stats&mdtID=${(await see("counted")).mdtID}`))
    .body;
  expect(children.data).toEqual([{ id: expect.stringMatching(/:d\d{6}$/), stats }]);
});

test("the champion of a template is decided after its test, and goes to those outside of it from then on", async () => {
  const champion = { type: "split-with-champion", enabled: true, variants, testPercent: 80, decideAfterMinutes: 30 };
  await make("champion", [{ ...champion, metric: "uniqueClicks" }]);
  await findIn(2);
  await send("champion", everybody.slice(0, 2 * HALF));
  const { long = [], short = [], own = [] } = await sentByVariant("champion");
  expect([long.length, short.length, own.length].every((count) => count > 0)).toBe(true);
  await click("champion", long.slice(0, 40));
  await findIn(4);
  // The test is over; what was sent is still in the outbox, which no worker has read.
  await findIn(40);
  expect((await performance("champion")).body).not.toHaveProperty("decision");
  await deliverOutbox(world, numbers);
  await findIn(40);
  const { body } = await performance("champion");
  expect(body.decision).toEqual({ winner: "long", at: expect.stringMatching(/Z$/) });

  await send("champion", everybody);
  const later = await sentByVariant("champion");
  const twice = (contacts: readonly number[]) => contacts.flatMap((contact) => [contact, contact]);
  expect(later.short).toEqual(twice(short));
  expect(later.long).toEqual([...twice(long), ...own].toSorted((a, b) => a - b));
  // A change of something else leaves the decision; another experiment begins again.
  await world.call("PUT", `${ROOT}/champion`, { message: content("Short"), name: "Renamed" });
  expect((await performance("champion")).body).toHaveProperty("decision");
  const tests = [{ ...champion, metric: "uniqueOpens" }];
  await world.call("PUT", `${ROOT}/champion`, { message: content("Short"), tests });
  expect((await performance("champion")).body).toMatchObject({ totalAudience: 0, conversions: 0 });
  expect((await performance("champion")).body).not.toHaveProperty("decision");
});

test("a champion without a hundred sends of each variant stays a split", async () => {
  const champion = { type: "split-with-champion", enabled: true, variants, testPercent: 50, decideAfterMinutes: 1 };
  await make("few", [{ ...champion, metric: "uniqueOpens" }]);
  await send("few", everybody.slice(0, 20));
  await deliverOutbox(world, numbers);
  await findIn(2);
  await findIn(4);
  expect((await performance("few")).body.decision).toEqual({ reason: "too-few-sends", at: expect.any(String) });
  await send("few", second.slice(0, 50));
  const { own = [] } = await sentByVariant("few");
  expect(own.every((contact) => contact <= 20)).toBe(true);
});

test("a bandit gives the better variant more of the sends to come", async () => {
  await make("bandit", [{ type: "bandit", enabled: true, variants, metric: "uniqueClicks" }]);
  await send("bandit", first);
  const { long = [], short = [] } = await sentByVariant("bandit");
  await deliverOutbox(world, numbers);
  await click("bandit", long);
  await findIn(20);
  const [worse, better] = (await performance("bandit")).body.variants;
  expect(worse.share + better.share).toBeCloseTo(1);
  expect(better.share).toBeGreaterThan(0.95);
  await send("bandit", second);
  const later = await sentByVariant("bandit");
  expect((later.long?.length ?? 0) - long.length).toBeGreaterThan(HALF * 0.8);
  expect((later.short?.length ?? 0) - short.length).toBeLessThan(HALF * 0.2);
});

test("a template keeps its tests with its content: drafted, published, checked and rendered", async () => {
  expect((await make("kept", [], {})).status).toBe(201);
  expect(await see("kept")).toMatchObject({ tests: [] });
  expect((await performance("kept")).status).toBe(404);
  const draft = { message: content("Short"), tests: [split], draftContent: true };
  await world.call("PUT", `${ROOT}/kept`, draft);
  expect(await see("kept")).toMatchObject({ tests: [], draftTests: [split] });
  expect((await performance("kept")).status).toBe(404);
  await world.call("PUT", `${ROOT}/kept/publish`);
  expect(await see("kept")).toMatchObject({ tests: [split] });
  expect((await performance("kept")).body).toMatchObject({ strategy: "split", totalAudience: 0 });

  const rendered = (query: string) => world.call("GET", `${ROOT}/kept/renderpublished/${cidOf(1)}${query}`);
  const { body } = await rendered("?experiment=split&variant=long");
  expect(body.content["text/html"]).toContain("Long");
  expect(body.experiments).toEqual([
    { name: "split", strategy: "split", variants: ["short", "long"], variant: "long" },
  ]);
  // Without a variant it is the one that this contact will get.
  const own = (await rendered("")).body;
  const [{ variant }] = own.experiments;
  expect(["short", "long"]).toContain(variant);
  expect(own.content["text/html"]).toContain(variant === "long" ? "Long" : "Short");
  expect((await rendered("?experiment=split")).status).toBe(400);
  expect(problems(await rendered("?experiment=split&variant=none"))).toContain("/variant unknown_reference");

  const wrong = [{ ...split, variants: [{ name: "a" }, { name: "a", content: { "text/html": "{% if %}" } }] }];
  expect(problems(await make("wrong", wrong))).toEqual([422, "VALIDATION_ERROR", "/tests/0/variants/1/name bad_value"]);
  const liquid = [{ ...split, variants: [{ name: "a" }, { name: "b", content: { "text/html": "{% if %}" } }] }];
  expect(problems(await make("wrong", liquid))[2]).toMatch(
    /^\/tests\/0\/variants\/1\/content\/text~1html bad_value 1:/,
  );
  await world.call("DELETE", `${ROOT}/kept`);
});
