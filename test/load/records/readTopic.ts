import { randomUUID } from "node:crypto";
import type { EachBatchPayload } from "kafkajs";
import { bareKafka } from "../world/topics.ts";

export interface LoggedMessage {
  readonly partition: number;
  readonly value: Buffer;
}

/** Reads all that a topic holds now, or until `take` answers false, as a bare consumer of a group of its own. */
export async function readTopic(
  brokers: string,
  topic: string,
  take: (messages: readonly LoggedMessage[]) => boolean,
): Promise<void> {
  const kafka = bareKafka(brokers);
  const ends = await remaining(brokers, topic);
  if (ends.size === 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const consumer = kafka.consumer({ groupId: `headwater-bench-${randomUUID()}`, maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const eachBatch = async ({ batch }: EachBatchPayload) => {
    const messages = batch.messages.map(({ value }) => ({
      partition: batch.partition,
      value: value ?? Buffer.alloc(0),
    }));
    const goesOn = take(messages);
    if (Number(batch.lastOffset()) + 1 >= (ends.get(batch.partition) ?? 0)) ends.delete(batch.partition);
    if (!goesOn || ends.size === 0) resolve();
  };
  await consumer.run({ eachBatch, autoCommit: false, partitionsConsumedConcurrently: 1 });
  await promise;
  await consumer.disconnect();
}

/** The end of every partition that holds something. */
async function remaining(brokers: string, topic: string): Promise<Map<number, number>> {
  const admin = bareKafka(brokers).admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  return new Map(
    offsets
      .filter(({ low, high }) => Number(high) > Number(low))
      .map(({ partition, high }) => [partition, Number(high)]),
  );
}

/** The value of a frame behind the five bytes of the registry's format. */
export function parseFrame(value: Buffer): {
  readonly account: string;
  readonly records: readonly { readonly id: string }[];
} {
  const frame: { account: string; records: { id: string }[] } = JSON.parse(value.toString("utf8", WIRE_HEAD_BYTES));
  return frame;
}

const WIRE_HEAD_BYTES = 5;
