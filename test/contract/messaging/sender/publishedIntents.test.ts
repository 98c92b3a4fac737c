import type { PublishedIntents } from "@headwater/contracts";
import type { LogWitness } from "@headwater/guard/consistency/evidence";
import { restoreIntentMarks, unknownIntents } from "@headwater/guard/consistency/intentMarks";
import { lossesSeenByLog } from "@headwater/guard/consistency/readEvidence";
import { identityLosses } from "@headwater/guard/consistency/storeIdentity";
import { HeadwaterError } from "@headwater/kernel";
import { createIntentLog } from "@headwater/messaging/sending/intentLog";
import { endLostSends } from "@headwater/messaging/sends/endLostSends";
import { insertLostIntents } from "@headwater/messaging/sends/lostIntents";
import { useServices } from "@headwater/testing";
import { createFrameProducer, createLogWitness, createTopicAdmin } from "@headwater/topics";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { logger } from "../../stores/fresh.ts";
import { type BatchWorld, batchWorld, content, reachedBy, receipt } from "./batchWorld.ts";

/*
 * A Postgres that was put back to an earlier copy has its sends pending again. What a sender published before the first byte left is all
 * that shows it, where nothing else was written since.
 */

const PEOPLE = 12;
const everybody = Array.from({ length: PEOPLE }, (_, index) => index + 1);
const brokers = useServices().kafkaBrokers.split(",");
const access = { brokers, clientId: "intents-test", logger };
const away = new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "away", retriable: true });

let world: BatchWorld;
beforeAll(async () => {
  const admin = createTopicAdmin(access);
  await admin.apply();
  await admin.close();
  world = await batchWorld();
  await world.join(everybody);
  expect(await identityLosses(world.service.postgres)).toEqual([]);
});
afterAll(() => world.stop());
beforeEach(() => void world.mails.splice(0));

async function begin(): Promise<string> {
  const id = await world.make({ ...receipt, message: content("Hello") });
  await world.put(id, "send");
  await world.work(id);
  return id;
}

const rowsOf = (id: string) =>
  world.service.postgres.query<{ state: string; reason: string | null; attempts: number }>(
    { text: "SELECT state, reason, attempts FROM sends WHERE message = $1 ORDER BY contact" },
    [id],
  );

test("nothing is handed over before Kafka has the intents, which name each send without its address", async () => {
  const id = await begin();
  const open = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<PublishedIntents>();
  const publish = async (intents: PublishedIntents) => {
    asked.resolve(intents);
    await open.promise;
  };
  const sending = world.sender("slow", undefined, undefined, { intents: { isReady: () => true, publish } }).sendOnce();
  const intents = await asked.promise;
  expect(await unknownIntents(world.service.postgres, [intents])).toEqual([]);
  expect(intents.sends.map(({ contact, message, attempts }) => [contact, message, attempts]).toSorted()).toEqual(
    everybody.map((contact) => [contact, id, 1]).toSorted(),
  );
  expect(JSON.stringify(intents)).not.toContain("@");
  expect(world.mails).toEqual([]);
  open.resolve();
  await sending;
  expect(reachedBy(world.mails)).toEqual(everybody);
});

test("while Kafka is away nothing is claimed, and what was claimed is not begun", async () => {
  const id = await begin();
  const unready = { isReady: () => false, publish: () => Promise.reject(away) };
  expect(await world.sender("idle", undefined, undefined, { intents: unready }).sendOnce()).toBe(false);
  expect((await rowsOf(id)).every(({ state, attempts }) => state === "pending" && attempts === 0)).toBe(true);
  const failing = { isReady: () => true, publish: () => Promise.reject(away) };
  const sender = world.sender("late", undefined, undefined, { intents: failing, leaseMs: 2_000 });
  const sending = sender.sendOnce();
  await expect.poll(async () => (await rowsOf(id)).every(({ state }) => state === "sending")).toBe(true);
  await sender.stop();
  await sending;
  expect(world.mails).toEqual([]);
  expect((await rowsOf(id)).every(({ state }) => state === "deferred")).toBe(true);
  await world.sql("UPDATE sends SET due_at = 0 WHERE message = $1", [id]);
  await world.sendAll();
  expect(reachedBy(world.mails)).toEqual(everybody);
}, 60_000);

test("a Postgres that lost the intents is found by what Kafka has of them, and after a recovery nobody gets the message again", async () => {
  const { postgres } = world.service;
  const id = await begin();
  const rows = await postgres.query<{ row: string }>(
    { text: "SELECT to_jsonb(s)::text AS row FROM sends s WHERE message = $1" },
    [id],
  );
  const producer = createFrameProducer({ ...access, codec: { isReady: () => true, frame: () => Buffer.alloc(0) } });
  // Groups of other tests commit to the same Kafka, for databases of their own.
  const log: LogWitness = { ...createLogWitness(access), commits: async () => [] };
  await producer.start();
  try {
    const published: PublishedIntents[] = [];
    const intents = createIntentLog(producer);
    const publish = async (one: PublishedIntents) => {
      published.push(one);
      await intents.publish(one);
    };
    await world.sender("real", undefined, undefined, { intents: { ...intents, publish } }).sendOnce();
    expect(reachedBy(world.mails)).toEqual(everybody);
    expect(await lossesSeenByLog(postgres, log)).toEqual([]);
    // As the copy from before the claim has it: half of the sends are pending again, the others were made later.
    await world.sql("DELETE FROM sends WHERE message = $1", [id]);
    const pending = rows.slice(0, PEOPLE / 2).map(({ row }) => row);
    await world.sql(
      "INSERT INTO sends SELECT (jsonb_populate_record(NULL::sends, r::jsonb)).* FROM unnest(string_to_array($1, E'\\x1f')) AS r",
      [pending.join("\x1f")],
    );
    await world.sql("DELETE FROM intent_marks WHERE n >= $1", [published[0]?.n ?? 0]);
    expect(await lossesSeenByLog(postgres, log)).toEqual([{ kind: "sends", batches: published.length }]);
    const lost = published.flatMap(({ account, at, sends }) => sends.map((one) => ({ account, at, ...one })));
    await postgres.transaction(async (transaction) => {
      expect(await endLostSends(transaction, lost)).toBe(PEOPLE);
      await restoreIntentMarks(transaction, published);
    });
    expect(await lossesSeenByLog(postgres, log)).toEqual([]);
    world.mails.splice(0);
    await world.sendAll();
    expect(world.mails).toEqual([]);
    const ended = await rowsOf(id);
    expect(ended).toHaveLength(PEOPLE);
    expect(ended.every(({ state, reason }) => state === "unknown" && reason === "answer-lost")).toBe(true);
  } finally {
    await producer.drain(5_000);
  }
}, 60_000);

test("a person who has another number after a loss gets no second mail of the message", async () => {
  const { postgres } = world.service;
  const id = await begin();
  const before = await postgres.query<{ row: string }>(
    { text: "SELECT to_jsonb(s)::text AS row FROM sends s WHERE message = $1" },
    [id],
  );
  const published: PublishedIntents[] = [];
  const publish = async (intents: PublishedIntents) => void published.push(intents);
  await world.sender("known", undefined, undefined, { intents: { isReady: () => true, publish } }).sendOnce();
  expect(reachedBy(world.mails)).toEqual(everybody);
  // The contacts were created after the copy: when the log was read again they got other numbers.
  const lost = published.flatMap(({ account, at, sends }) =>
    sends.map((one) => ({ account, at, ...one, contact: one.contact + 1_000 })),
  );
  await world.sql("DELETE FROM sends WHERE message = $1", [id]);
  await world.sql(
    "INSERT INTO sends SELECT (jsonb_populate_record(NULL::sends, r::jsonb)).* FROM unnest(string_to_array($1, E'\\x1f')) AS r",
    [before.map(({ row }) => row).join("\x1f")],
  );
  await postgres.transaction(async (transaction) => {
    await endLostSends(transaction, lost);
    await insertLostIntents(transaction, lost);
  });
  world.mails.splice(0);
  await world.sendAll();
  expect(world.mails).toEqual([]);
  const states = Map.groupBy(await rowsOf(id), ({ state, reason }) => `${state} ${reason}`);
  expect(new Map([...states].map(([name, rows]) => [name, rows.length]))).toEqual(
    new Map([
      ["skipped duplicate", PEOPLE],
      ["unknown answer-lost", PEOPLE],
    ]),
  );
});

test("intents of a database that the data has never lived in are another's", async () => {
  const foreign = { store: "7000000000000000001/1", n: 1_000_000, token: "t" };
  const [mark] = await world.service.postgres.query<{ store: string }>({
    text: "SELECT system_identifier || '/' || database AS store FROM store_identities",
  });
  const own = { ...foreign, store: mark?.store ?? "" };
  expect(await unknownIntents(world.service.postgres, [foreign, own])).toEqual([own]);
});
