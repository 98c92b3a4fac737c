import { randomUUID } from "node:crypto";
import { lossesSeenByLog } from "@headwater/guard/consistency/readEvidence";
import { createLogger } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { openOffset } from "@headwater/postgres/streams/streamOffsets";
import { useServices } from "@headwater/testing";
import {
  createFrameProducer,
  createLogWitness,
  createStreamConsumer,
  createTopicAdmin,
  type StreamHandler,
  topicNamed,
} from "@headwater/topics";
import { type Admin, Kafka, logLevel } from "kafkajs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "../stores/fresh.ts";

const brokers = useServices().kafkaBrokers.split(",");
const logger = createLogger({ name: "test", level: "silent" });
const topics = createTopicAdmin({ brokers, clientId: "test", logger });
const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
let admin: Admin;
let postgres: Fresh<Postgres>;

beforeAll(async () => {
  admin = kafka.admin();
  await admin.connect();
  await topics.apply();
  postgres = await freshPostgres();
});
afterAll(async () => {
  await admin.disconnect();
  await topics.close();
  await postgres.drop();
});

const BEYOND = 1_000;
const codec = { isReady: () => true, frame: () => Buffer.alloc(0) };

async function write(topic: string, values: readonly string[]): Promise<void> {
  const producer = createFrameProducer({ brokers, clientId: "test", codec, logger });
  await producer.start();
  await producer.publish(values.map((text) => ({ topic, partition: 0, key: "k", value: Buffer.from(text) })));
  await producer.drain(5_000);
}

/** Commits as `kafka-consumer-groups --reset-offsets` does: an offset without a note. */
const reset = (groupId: string, topic: string, offset: number) =>
  admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: String(offset) }] });

test("a group whose offsets somebody reset to the beginning, the end or beyond it continues where its store says", async () => {
  const { name: topic } = { ...topicNamed("changes.carts"), name: `test.${randomUUID()}` };
  await topics.apply([{ ...topicNamed("changes.carts"), name: topic, partitions: 1 }]);
  const groupId = randomUUID();
  const applied: string[] = [];
  const handler: StreamHandler = {
    start: async () => ({ fromOffset: applied.length, generation: 1 }),
    async batch({ frames }) {
      expect(frames[0]?.offset).toBe(applied.length);
      applied.push(...frames.map(({ value }) => value.toString()));
      return { kind: "next", offset: applied.length };
    },
  };
  const written: string[] = [];
  const onFatal = (error: unknown) => expect.unreachable(String(error));
  for (const to of [undefined, 0, 30, BEYOND]) {
    const values = Array.from({ length: 10 }, (_, index) => `${to}: ${index}`);
    if (to !== undefined) await reset(groupId, topic, to);
    await write(topic, values);
    written.push(...values);
    const consumer = createStreamConsumer({
      brokers,
      clientId: "test",
      groupId,
      topics: [topic],
      logger,
      handler,
      onFatal,
    });
    await consumer.start();
    await expect.poll(() => applied).toEqual(written);
    await consumer.stop();
  }
  // The last one that left has put its own commit in place of the operator's.
  expect(await topics.committed(groupId, [topic])).toMatchObject([{ offset: written.length, generation: 1 }]);
});

test("commits that somebody reset are no sign that Postgres lost anything, one of a group of ours is", async () => {
  const topic = "intake.records";
  const group = "headwater.state";
  const { store } = postgres;
  await write(topic, ["one", "two", "three"]);
  const end = (await topics.watermarks(topic)).find(({ partition }) => partition === 0)?.high ?? expect.unreachable();
  await openOffset(store, { group: "state", topic, generation: 1, partition: 0 }, end - 2);
  const witness = createLogWitness({ brokers, clientId: "test", logger });
  for (const offset of [end + BEYOND, 0, end - 2, end]) {
    await reset(group, topic, offset);
    expect(await lossesSeenByLog(store, witness)).toEqual([]);
  }
  const consumer = kafka.consumer({ groupId: group });
  await consumer.connect();
  await consumer.subscribe({ topic });
  await consumer.run({ autoCommit: false, eachMessage: async () => undefined });
  const commit = { topic, partition: 0, offset: String(end), metadata: "generation=1" };
  await expect.poll(() => consumer.commitOffsets([commit]).then(() => "committed", String)).toBe("committed");
  await consumer.disconnect();
  expect(await lossesSeenByLog(store, witness)).toMatchObject([{ kind: "commits", stored: end - 2, seen: end }]);
  await witness.forgetCommits();
  expect(await lossesSeenByLog(store, witness)).toEqual([]);
});
