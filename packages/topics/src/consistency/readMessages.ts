import { type Logger, withTimeout } from "@headwater/kernel";
import type { Consumer, EachBatchPayload, KafkaMessage } from "kafkajs";
import { createKafkaClient } from "../kafka/kafkaClient.ts";
import { unavailable } from "../kafka/unavailable.ts";
import type { KafkaAccess } from "../security/kafkaAccess.ts";

export interface MessageRange {
  readonly topic: string;
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

export interface ReadMessagesOptions extends KafkaAccess {
  readonly clientId: string;
  /** A group of its own, that commits nothing. */
  readonly groupId: string;
  readonly logger: Logger;
  readonly timeoutMs: number;
}

export interface LogMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Buffer;
}

/** Reads what the log holds of the ranges, each in order. @throws a retriable HeadwaterError when Kafka does not give it in time. */
export async function readMessages(
  options: ReadMessagesOptions,
  ranges: readonly MessageRange[],
  onMessage: (message: LogMessage) => void,
): Promise<void> {
  const wanted = ranges.filter(({ from, to }) => from < to);
  if (wanted.length === 0) return;
  const consumer = createKafkaClient({ ...options, requestTimeoutMs: options.timeoutMs }).consumer({
    groupId: options.groupId,
    allowAutoTopicCreation: false,
    retry: { retries: 2, restartOnFailure: async () => false },
  });
  try {
    await withTimeout(() => consume(consumer, wanted, onMessage), options.timeoutMs);
  } catch (error) {
    throw unavailable("Kafka does not return the last messages of its topics.", 1, error);
  } finally {
    consumer
      .disconnect()
      .catch((error: unknown) => options.logger.debug({ err: error }, "error while closing a log reader"));
  }
}

async function consume(
  consumer: Consumer,
  ranges: readonly MessageRange[],
  onMessage: (message: LogMessage) => void,
): Promise<void> {
  const missing = new Map(ranges.map((range) => [`${range.topic}/${range.partition}`, range]));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
  await consumer.connect();
  await consumer.subscribe({ topics: [...new Set(ranges.map(({ topic }) => topic))], fromBeginning: true });
  const eachBatch = async ({ batch }: EachBatchPayload) => {
    const at = { topic: batch.topic, partition: batch.partition };
    const name = `${at.topic}/${at.partition}`;
    const range = missing.get(name);
    if (range === undefined) return consumer.pause([{ topic: at.topic, partitions: [at.partition] }]);
    for (const message of batch.messages) if (isIn(range, Number(message.offset))) onMessage(toMessage(at, message));
    if (Number(batch.lastOffset()) + 1 >= range.to) missing.delete(name);
    if (missing.size === 0) resolve();
  };
  await consumer.run({ autoCommit: false, eachBatch });
  for (const { topic, partition, from } of ranges) consumer.seek({ topic, partition, offset: String(from) });
  await promise;
}

function isIn({ from, to }: MessageRange, offset: number): boolean {
  return offset >= from && offset < to;
}

function toMessage(
  at: Pick<LogMessage, "topic" | "partition">,
  { offset, headers = {}, value }: KafkaMessage,
): LogMessage {
  const entries = Object.entries(headers).map(([name, value]) => [name, textOf(value)] as const);
  return { ...at, offset: Number(offset), headers: Object.fromEntries(entries), value: value ?? Buffer.alloc(0) };
}

function textOf(value: Buffer | string | (Buffer | string)[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value)?.toString() ?? "";
}
