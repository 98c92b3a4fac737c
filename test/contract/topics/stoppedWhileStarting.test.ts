import { randomUUID } from "node:crypto";
import { createLogger } from "@headwater/kernel";
import { useServices } from "@headwater/testing";
import { createStreamConsumer, createTopicAdmin, topicNamed } from "@headwater/topics";
import { type Admin, Kafka, logLevel } from "kafkajs";
import { afterAll, beforeAll, expect, test } from "vitest";

const brokers = useServices().kafkaBrokers.split(",");
const logger = createLogger({ name: "test", level: "silent" });
const topics = createTopicAdmin({ brokers, clientId: "test", logger });
const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
let admin: Admin;

beforeAll(async () => {
  admin = kafka.admin();
  await admin.connect();
});
afterAll(async () => {
  await admin.disconnect();
  await topics.close();
});

async function membersOf(groupId: string) {
  const { groups } = await admin.describeGroups([groupId]);
  return groups.flatMap(({ members }) => members.map(({ clientId }) => clientId));
}

test("a consumer that is stopped while it starts leaves no member behind that keeps partitions", async () => {
  const topic = `test.${randomUUID()}`;
  await topics.apply([{ ...topicNamed("changes.carts"), name: topic, partitions: 2 }]);
  const groupId = randomUUID();
  const consumer = createStreamConsumer({
    ...{ brokers, clientId: "stopped", groupId, topics: [topic], logger },
    handler: {
      start: async () => ({ fromOffset: 0, generation: 1 }),
      batch: () => Promise.reject(new Error("there are no frames")),
    },
    onFatal: () => undefined,
  });
  const starting = consumer.start();
  await consumer.stop();
  await starting;
  await expect.poll(() => membersOf(groupId)).toEqual([]);
});
