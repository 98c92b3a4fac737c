import { randomUUID } from "node:crypto";
import { createLogger } from "@headwater/kernel";
import { useServices } from "@headwater/testing";
import { createStreamConsumer, createTopicAdmin, topicNamed } from "@headwater/topics";
import { Kafka, logLevel } from "kafkajs";
import { afterAll, expect, test } from "vitest";

const { kafkaBrokers } = useServices();
const brokers = kafkaBrokers.split(",");
const logger = createLogger({ name: "test", level: "silent" });
const admin = createTopicAdmin({ brokers, clientId: "test", logger });
const bare = new Kafka({ brokers, logLevel: logLevel.NOTHING });

afterAll(() => admin.close());

test("partitions added by hand leave the plan without work, settings are still repaired, and the group reads them", async () => {
  const wanted = { ...topicNamed("changes.carts"), name: `test.${randomUUID()}`, partitions: 2 };
  await admin.apply([wanted]);
  const byHand = bare.admin();
  await byHand.connect();
  await byHand.createPartitions({ topicPartitions: [{ topic: wanted.name, count: 3 }] });
  await byHand.disconnect();
  await expect.poll(() => admin.watermarks(wanted.name)).toHaveLength(3);
  const note = "3 partitions, of which 1 are unused: the catalogue has 2";
  expect(await admin.plan([wanted])).toEqual([{ kind: "same", topic: wanted.name, note }]);
  expect(await admin.apply([{ ...wanted, retentionMs: 3_600_000 }])).toMatchObject([{ kind: "alter" }]);

  const producer = bare.producer();
  await producer.connect();
  await producer.send({ topic: wanted.name, messages: [{ partition: 2, value: "somebody else's" }] });
  await producer.disconnect();
  const read: string[] = [];
  const consumer = createStreamConsumer({
    brokers,
    clientId: "test",
    groupId: randomUUID(),
    topics: [wanted.name],
    logger,
    onFatal: (error) => expect.unreachable(String(error)),
    handler: {
      start: async ({ low }) => ({ fromOffset: low }),
      async batch({ partition, frames }) {
        read.push(...frames.map(({ value }) => `${partition}: ${value}`));
        return { kind: "next", offset: (frames.at(-1)?.offset ?? 0) + 1 };
      },
    },
  });
  await consumer.start();
  await expect.poll(() => read).toEqual(["2: somebody else's"]);
  await consumer.stop();
});
