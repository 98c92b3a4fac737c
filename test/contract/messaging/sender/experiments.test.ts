import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cidOf } from "../batchMessages/sendWorld.ts";
import { loadCampaign } from "../messages/loadCampaign.ts";
import { type BatchWorld, batchWorld, content, receipt } from "./batchWorld.ts";
import { deliverOutbox, did } from "./deliverOutbox.ts";

const PEOPLE = 320;
const FEW = 20;
const everybody = Array.from({ length: PEOPLE }, (_, index) => index + 1);
const numbers = new Map(everybody.map((number) => [cidOf(number), number]));
const variants = [{ name: "short" }, { name: "long", content: content("Long").content }];
const champion = { type: "split-with-champion", enabled: true, variants, testPercent: 85, decideAfterMinutes: 1 };
const root = "/v2/batchmessages";
let world: BatchWorld;

beforeAll(async () => {
  world = await batchWorld();
  await world.join(everybody);
});
afterAll(() => world.stop());
beforeEach(() => void world.mails.splice(0));

/** Contacts that were sent to, by variant. */
async function sentByVariant(id: string): Promise<Readonly<Record<string, readonly number[]>>> {
  const text =
    "SELECT contact, variant FROM sends WHERE account = $1 AND message = $2 AND state = 'sent' ORDER BY contact";
  const values = [world.account.number, id];
  const rows = await world.service.postgres.query<{ contact: number; variant: string }>({ text }, values);
  const groups = Map.groupBy(rows, ({ variant }) => variant);
  return Object.fromEntries([...groups].map(([variant, all]) => [variant, all.map(({ contact }) => contact)]));
}

/** Some contacts click the message that they got. */
async function click(id: string, contacts: readonly number[]): Promise<void> {
  const activities = contacts.map((contact) =>
    did(contact, "click", `${world.account.id}:${id}:b:${cidOf(contact)}:1`),
  );
  const campaign = { aliases: new Map(), activities, orders: [] };
  await loadCampaign(world.service.clickHouse, world.account.number, campaign);
}

/** Sends a message to those who test its variants. @returns who got which. */
async function sendTest(test: object) {
  const id = await world.make({ ...receipt, message: content("Short"), tests: [test] });
  expect(await world.put(id, "send")).toBe("200 pending");
  await world.work(id);
  await sendAll();
  await world.work(id);
  return { id, tested: await sentByVariant(id) };
}

async function sendAll(): Promise<void> {
  const sender = world.sender("one");
  while (await sender.sendOnce());
}

/** Works the message off. The decision waits for transactions that were running, those of other databases too. */
async function workToItsEnd(id: string): Promise<void> {
  const status = async () => {
    await world.work(id);
    await sendAll();
    await world.work(id);
    return (await world.see(id)).status;
  };
  await expect.poll(status, { timeout: 30_000 }).toBe("sent");
}

/** The last send of the test was tried so long ago. */
const age = (id: string, ms: number) =>
  world.sql("UPDATE sends SET first_at = first_at - $2 WHERE message = $1", [id, ms]);

test("the champion of a test goes to those who waited for it, once ClickHouse has what happened in the test", async () => {
  const { id, tested } = await sendTest({ ...champion, metric: "uniqueClicks" });
  const { short = [], long = [] } = tested;
  const waiting = everybody.filter((contact) => !short.includes(contact) && !long.includes(contact));
  expect(waiting.length).toBeGreaterThan(0);
  expect(await world.see(id)).toMatchObject({ status: "processing", delivery: { pending: waiting.length } });

  // The test is not over, then it is but what was sent is still in the outbox.
  await click(id, [...short.slice(0, 10), ...long.slice(0, 30)]);
  await world.work(id);
  await age(id, 60_000);
  await world.work(id);
  expect(await sentByVariant(id)).toEqual(tested);
  expect((await world.see(id)).delivery.pending).toBe(waiting.length);

  await deliverOutbox(world, numbers);
  // Whichever step a worker is killed behind, the next one finds the same.
  for (let step = 0; step < 4; step += 1) await world.work(id, 1);
  await workToItsEnd(id);
  expect(await sentByVariant(id)).toEqual({ short, long: [...long, ...waiting].toSorted((a, b) => a - b) });
  expect(await world.see(id)).toMatchObject({ status: "sent", delivery: { sent: PEOPLE } });
  expect(world.mails).toHaveLength(PEOPLE);
  const { body } = await world.call("GET", `${root}/${id}/experimentperformance`);
  expect(body.decision).toEqual({ winner: "long", at: expect.stringMatching(/Z$/) });
});

test("without enough sends those who waited get a split, and the message says so; who joins is in the test or waits", async () => {
  await world.leave(everybody.slice(FEW));
  const { id, tested } = await sendTest({ ...champion, testPercent: 50, metric: "revenue" });
  const before = Object.values(tested).flat();
  await world.put(id, "pause");
  await world.join(everybody.slice(FEW, 2 * FEW));
  await world.put(id, "resume");
  await world.work(id);
  await sendAll();
  const joined = Object.values(await sentByVariant(id)).flat();
  expect(joined.length).toBeGreaterThan(before.length);
  expect((await world.see(id)).delivery).toMatchObject({ sent: joined.length, pending: 2 * FEW - joined.length });

  await deliverOutbox(world, numbers);
  await age(id, 60_000);
  await workToItsEnd(id);
  const sent = await sentByVariant(id);
  expect(Object.values(sent).flat()).toHaveLength(2 * FEW);
  expect(Object.keys(sent).toSorted()).toEqual(["long", "short"]);
  expect(await world.see(id)).toMatchObject({ status: "sent", warnings: ["champion_too_few_sends"] });
  const { body } = await world.call("GET", `${root}/${id}/experimentperformance`);
  expect(body.decision).toEqual({ reason: "too-few-sends", at: expect.stringMatching(/Z$/) });
});

test("contacts that wait for a champion are canceled with their message", async () => {
  const { id, tested } = await sendTest({ ...champion, testPercent: 50, metric: "uniqueOpens" });
  const sent = Object.values(tested).flat();
  expect(await world.put(id, "cancel")).toBe("200 canceled");
  await world.upkeep();
  const rows = await world.rows(id);
  expect([rows.sent?.length, rows.canceled?.length]).toEqual([sent.length, 2 * FEW - sent.length]);
});

test("a bandit gives the better variant more of the sends to come, and a send that was begun keeps its own", async () => {
  const bandit = { type: "bandit", enabled: true, variants, metric: "uniqueClicks" };
  const id = await world.make({ ...receipt, message: content("Short"), tests: [bandit] });
  await world.put(id, "send");
  await world.work(id);
  const begun = everybody.slice(0, FEW);
  const { account, service, sql } = world;
  const mcIdOf = (contact: number) => `${account.id}:${id}:b:${cidOf(contact)}:1`;
  const early = Date.now() - 20 * 60_000;
  const activities = begun.map((contact) => {
    const properties = { variant: contact % 2 === 0 ? "long" : "short" };
    return { ...did(contact, "message-sent", mcIdOf(contact)), time: early, properties };
  });
  await loadCampaign(service.clickHouse, account.number, { aliases: new Map(), activities, orders: [] });
  await click(
    id,
    begun.filter((contact) => contact % 2 === 0),
  );
  const half = `UPDATE sends SET state = $3, first_at = 1, variant = CASE WHEN contact % 2 = 0 THEN 'long' ELSE 'short' END
    WHERE message = $1 AND contact <= $2`;
  await sql(half, [id, FEW, "deferred"]);
  await sql("UPDATE batch_messages SET started_at = started_at - 1000000 WHERE id = $1", [id]);
  await world.work(id);
  const performance = async () => (await world.call("GET", `${root}/${id}/experimentperformance`)).body.variants;
  const [short, long] = await performance();
  expect(short.share + long.share).toBeCloseTo(1);
  expect(long.share).toBeGreaterThan(0.9);
  await world.work(id);
  expect((await performance()).map(({ share }: { share: number }) => share)).toEqual([short.share, long.share]);
  await sendAll();
  const sent = await sentByVariant(id);
  expect(Object.values(sent).flat()).toHaveLength(2 * FEW);
  expect(begun.filter((contact) => sent.long?.includes(contact))).toEqual(begun.filter((contact) => contact % 2 === 0));
  expect(sent.long?.length).toBeGreaterThan(sent.short?.length ?? 0);
});
