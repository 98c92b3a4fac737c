import { randomUUID } from "node:crypto";
import { createLogger } from "@headwater/kernel";
import { catalogue, createTopicAdmin, type SocketFactory, type TopicDefinition } from "@headwater/topics";
import { type EachBatchPayload, Kafka, logLevel } from "kafkajs";

export const silent = createLogger({ name: "test", level: "silent" });

/** kafkajs as it comes, with nothing of ours around it; retries and times short, so that faults show soon. */
export function bareKafka(brokers: string, socketFactory?: SocketFactory): Kafka {
  return new Kafka({
    brokers: brokers.split(","),
    clientId: "bare",
    logLevel: logLevel.NOTHING,
    requestTimeout: 700,
    retry: { retries: 2, initialRetryTime: 50, maxRetryTime: 200 },
    ...(socketFactory === undefined ? {} : { socketFactory }),
  });
}

/** kafkajs for a test's preparations: as patient as it is by default. */
export function patientKafka(brokers: string): Kafka {
  return new Kafka({ brokers: brokers.split(","), clientId: "bare", logLevel: logLevel.NOTHING });
}

export const bareAdmin = (brokers: string) => patientKafka(brokers).admin();

/** A topic of the catalogue's kind under a name nobody has. */
export async function freshTopic(brokers: string, changes: Partial<TopicDefinition> = {}): Promise<string> {
  const [fallback] = catalogue;
  if (fallback === undefined) throw new Error("the catalogue is empty");
  const name = `test.${randomUUID()}`;
  const admin = createTopicAdmin({ brokers: brokers.split(","), clientId: "test", logger: silent });
  await admin.apply([{ ...fallback, partitions: 1, ...changes, name }]);
  await admin.close();
  return name;
}

/** Everything a topic holds, by partition, read by a bare consumer of a group of its own. */
export async function readTopic(brokers: string, topic: string): Promise<ReadonlyMap<number, readonly string[]>> {
  const kafka = bareKafka(brokers);
  const admin = bareAdmin(brokers);
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const expected = ends.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  const found = new Map<number, string[]>();
  let count = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const consumer = kafka.consumer({ groupId: randomUUID(), maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const eachBatch = async ({ batch }: EachBatchPayload) => {
    const values = batch.messages.map(({ value }) => value?.toString() ?? "");
    found.set(batch.partition, [...(found.get(batch.partition) ?? []), ...values]);
    count += values.length;
    if (count >= expected) resolve();
  };
  await consumer.run({ eachBatch });
  if (expected > 0) await promise;
  await consumer.disconnect();
  return found;
}

export const portOf = (broker: string): number => Number(broker.split(":").at(-1));
