import { randomUUID } from "node:crypto";
import { useServices } from "@headwater/testing";
import { createStreamConsumer } from "@headwater/topics";
import { expect, test, vi } from "vitest";
import { bareKafka, freshTopic, silent } from "./bareKafka.ts";

const brokers = useServices().kafkaBrokers;
const RECORDS = 140;
const TRUTH = 60;
const COMMIT = 100;

/** A topic of 140 records whose group committed 100 in Kafka, though only what is below 60 was applied. */
async function aheadOfTruth(): Promise<{ topic: string; groupId: string }> {
  const topic = await freshTopic(brokers);
  const groupId = randomUUID();
  const kafka = bareKafka(brokers);
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({ topic, messages: Array.from({ length: RECORDS }, (_, offset) => ({ value: String(offset) })) });
  await producer.disconnect();
  const admin = kafka.admin();
  await admin.connect();
  await admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: String(COMMIT) }] });
  await admin.disconnect();
  return { topic, groupId };
}

const askTheTruth = () => new Promise<number>((resolve) => setTimeout(() => resolve(TRUTH), 300));
const all = Array.from({ length: RECORDS - TRUTH }, (_, index) => TRUTH + index);

test("the trap: a bare consumer delivers from Kafka's commit before a late seek takes hold, and 40 records are lost", async () => {
  const { topic, groupId } = await aheadOfTruth();
  const consumer = bareKafka(brokers).consumer({ groupId, maxWaitTimeInMs: 100 });
  let truth = TRUTH;
  const applied: number[] = [];
  let deliveries = 0;
  const seekLate = async () => consumer.seek({ topic, partition: 0, offset: String(await askTheTruth()) });
  consumer.on(consumer.events.GROUP_JOIN, () => {
    seekLate().catch((error: unknown) => expect.unreachable(String(error)));
  });
  await consumer.connect();
  await consumer.subscribe({ topic });
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }) => {
      deliveries += batch.messages.length;
      for (const { offset } of batch.messages) {
        // Drops what was applied, by the stored offset; but nothing shows it that something is missing.
        if (Number(offset) < truth) continue;
        applied.push(Number(offset));
        truth = Number(offset) + 1;
      }
    },
  });
  await vi.waitFor(() => expect(deliveries).toBe(RECORDS - COMMIT + RECORDS - TRUTH), 20_000);
  await consumer.disconnect();
  expect(all.filter((offset) => !applied.includes(offset))).toHaveLength(COMMIT - TRUTH);
});

test("our consumer begins where the truth stands, whatever Kafka's commit says", async () => {
  const { topic, groupId } = await aheadOfTruth();
  const applied: number[] = [];
  const fatals: unknown[] = [];
  const consumer = createStreamConsumer({
    brokers: [brokers],
    clientId: "ours",
    groupId,
    topics: [topic],
    logger: silent,
    onFatal: (error) => fatals.push(error),
    handler: {
      start: async () => ({ fromOffset: await askTheTruth() }),
      async batch({ frames }) {
        applied.push(...frames.map(({ offset }) => offset));
        return { kind: "next", offset: (frames.at(-1)?.offset ?? 0) + 1 };
      },
    },
  });
  await consumer.start();
  await vi.waitFor(() => expect(applied).toHaveLength(RECORDS - TRUTH), 20_000);
  await consumer.stop();
  expect([applied, fatals]).toEqual([all, []]);
});
