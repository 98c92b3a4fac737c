import { withTimeout } from "@headwater/kernel";
import { withRight } from "../kafka/accessDenied.ts";
import { createKafkaClient, type KafkaClientOptions } from "../kafka/kafkaClient.ts";
import { replaceProduceEncoding } from "../produceRequest/replaceProduceEncoding.ts";
import type { Sender } from "./producerLink.ts";

/** Retries inside one send repeat the same batch with the same sequence, so the broker drops what it has already. */
const RETRY = { retries: 5, initialRetryTime: 50, maxRetryTime: 1_000, factor: 0.2, multiplier: 2 } as const;

/**
 * A connected, idempotent kafkajs producer that puts every message into its given partition.
 * @throws (rejects) when no broker gives it a producer id in time.
 */
export async function connectSender(options: KafkaClientOptions): Promise<Sender> {
  if (options.produceEncoder !== "kafkajs") replaceProduceEncoding();
  const producer = createKafkaClient(options).producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    retry: { ...RETRY },
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  });
  const close = () => {
    producer
      .disconnect()
      .catch((error: unknown) => options.logger.debug({ err: error }, "error while closing the producer"));
  };
  try {
    await withTimeout(() => producer.connect(), options.requestTimeoutMs);
  } catch (error) {
    close();
    throw error;
  }
  return {
    send: (topics) =>
      withRight({ operation: "Write", resource: "topic", name: topics.map(({ topic }) => topic).join(",") }, () =>
        producer.sendBatch({
          acks: -1,
          timeout: options.requestTimeoutMs,
          topicMessages: topics.map((topic) => ({ ...topic })),
        }),
      ),
    close,
  };
}
