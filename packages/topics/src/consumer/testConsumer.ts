import { createLogger } from "@headwater/kernel";
import { afterEach } from "vitest";
import type { StreamConsumer, StreamConsumerOptions } from "./consumerApi.ts";
import type { memoryLog } from "./memoryLog.ts";
import { createStreamConsumer } from "./streamConsumer.ts";
import type { StreamHandler } from "./streamHandler.ts";

const logger = createLogger({ name: "test", level: "silent" });
const running: StreamConsumer[] = [];

/** Stops the consumers of a test file behind each test. */
export function stopConsumersAfterEach(): void {
  afterEach(async () => {
    await Promise.all(running.splice(0).map((consumer) => consumer.stop(100)));
  });
}

/** Starts a consumer of a log in memory. */
export async function consume(
  log: ReturnType<typeof memoryLog>,
  handler: StreamHandler,
  options: Partial<StreamConsumerOptions> = {},
) {
  const fatals: unknown[] = [];
  const consumer = createStreamConsumer({
    brokers: [],
    clientId: "c",
    groupId: "g",
    topics: ["t"],
    handler,
    logger,
    onFatal: (error) => fatals.push(error),
    openSource: (events) => log.open(events),
    admin: {
      watermarks: async () => [0, 1, 2].map((partition) => ({ partition, low: log.low, high: log.high })),
      close: async () => undefined,
    },
    reader: log.reader,
    ...options,
  });
  running.push(consumer);
  await consumer.start();
  return { consumer, fatals };
}
