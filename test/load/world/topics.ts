import { kafkaGroupOf, topology } from "@headwater/contracts";
import { createLogger, retryForever } from "@headwater/kernel";
import { catalogue, createTopicAdmin, type TopicAdmin, type TopicDefinition } from "@headwater/topics";
import { type Admin, Kafka, logLevel } from "kafkajs";

const LATEST = "-1";
const LEADERS_TIMEOUT_MS = 30_000;
const logger = createLogger({ name: "bench", level: "warn" });

/**
 * Makes the topics that are missing, cuts away what all of them hold, and forgets what groups committed: a new consumer begins at the end, and
 * processes refuse a database that is not the one which commits name.
 */
export async function emptyTopics(brokers: string): Promise<void> {
  await withTopics(brokers, async (topics) => {
    await topics.apply(catalogue);
    await topics.forgetGroups(topology.map(({ group }) => kafkaGroupOf(group)));
  });
  await withAdmin(brokers, async (admin) => {
    for (const { name } of catalogue) {
      const offsets = await fetchOffsets(admin, name);
      const held = offsets.filter(({ low, high }) => low !== high);
      if (held.length === 0) continue;
      const partitions = held.map(({ partition }) => ({ partition, offset: LATEST }));
      await admin.deleteTopicRecords({ topic: name, partitions });
    }
  });
}

/** Makes a topic, or finds that it is there. */
export async function applyTopics(brokers: string, definitions: readonly TopicDefinition[]): Promise<void> {
  await withTopics(brokers, (topics) => topics.apply(definitions));
}

async function withTopics(brokers: string, work: (topics: TopicAdmin) => Promise<unknown>): Promise<void> {
  const flushMessages = process.env.HEADWATER_TOPIC_FLUSH_MESSAGES;
  const topics = createTopicAdmin({ brokers: brokers.split(","), clientId: "headwater-bench", logger, flushMessages });
  await work(topics);
  await topics.close();
}

/** The offset that each partition's next message will have. */
export async function topicEnds(brokers: string, topic: string): Promise<Map<number, number>> {
  return withAdmin(brokers, async (admin) => {
    const offsets = await fetchOffsets(admin, topic);
    return new Map(offsets.map(({ partition, high }) => [partition, Number(high)]));
  });
}

/** A topic that was just made has no leaders for a moment. */
function fetchOffsets(admin: Admin, topic: string) {
  return retryForever(() => admin.fetchTopicOffsets(topic), {
    signal: AbortSignal.timeout(LEADERS_TIMEOUT_MS),
    minMs: 50,
    maxMs: 1_000,
    onRetry: ({ error }) => logger.debug({ err: error, topic }, "the topic cannot be read yet"),
  });
}

/** kafkajs as it comes, with nothing of ours around it. */
export function bareKafka(brokers: string): Kafka {
  return new Kafka({ brokers: brokers.split(","), clientId: "headwater-bench-bare", logLevel: logLevel.NOTHING });
}

async function withAdmin<Result>(brokers: string, run: (admin: Admin) => Promise<Result>): Promise<Result> {
  const admin = bareKafka(brokers).admin();
  await admin.connect();
  try {
    return await run(admin);
  } finally {
    await admin.disconnect();
  }
}
