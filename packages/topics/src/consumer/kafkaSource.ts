import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "@headwater/kernel";
import type { Consumer, ConsumerGroupJoinEvent, EachBatchPayload, KafkaMessage } from "kafkajs";
import { isDenied, KafkaAccessDenied } from "../kafka/accessDenied.ts";
import { createKafkaClient, type KafkaClientOptions } from "../kafka/kafkaClient.ts";
import { metadataOf } from "./commitMetadata.ts";
import { toFrame } from "./kafkaFrame.ts";
import type { FetchedBatch } from "./partitionFeed.ts";
import type { SourceEvents, StreamSource, TopicPartition } from "./streamSource.ts";

export interface KafkaSourceOptions extends KafkaClientOptions {
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  readonly maxBytesPerPartition: number;
  readonly maxWaitMs: number;
  /** Time from one fetch that reached the end of the log to the next. */
  readonly fetchIntervalMs: number;
  /** See `StreamConsumerOptions.store`. */
  readonly store?: (() => string | undefined) | undefined;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** More than a fetch has partitions: each of them keeps its place until the next fetch is due. */
const CONCURRENT_HANDOVERS = 128;

/**
 * A kafkajs consumer whose loop only hands batches over and never waits for anybody: so it heartbeats and rejoins in time
 * however slow a batch is, and goes on fetching while a store is written.
 */
export function createKafkaSource(options: KafkaSourceOptions, events: SourceEvents): StreamSource {
  const { groupId, topics, sessionTimeoutMs } = options;
  const consumer = createKafkaClient(options).consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: sessionTimeoutMs,
    heartbeatInterval: Math.floor(sessionTimeoutMs / 5),
    maxBytesPerPartition: options.maxBytesPerPartition,
    maxBytes: MAX_BYTES,
    maxWaitTimeInMs: options.maxWaitMs,
    allowAutoTopicCreation: false,
    // We make a new consumer ourselves: the restart of kafkajs keeps a cluster object that may not come back.
    retry: { retries: 4, initialRetryTime: 100, restartOnFailure: async () => false },
  });
  const right = { topics, groupId };
  listen(consumer, { ...events, crashed: (error) => events.crashed(named(error, right)) });
  const untilNextFetch = createFetchInterval(options.fetchIntervalMs, systemClock);

  /** kafkajs throws here between its crash and the event of it. */
  function whileRunning(order: () => void): void {
    try {
      order();
    } catch (error) {
      events.crashed(error);
    }
  }

  async function join(): Promise<void> {
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true }).catch((error: unknown) => {
      throw named(error, right);
    });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: CONCURRENT_HANDOVERS,
      eachBatch: async (payload) => {
        handOver(payload, events);
        if (isAtEnd(payload)) await untilNextFetch();
      },
    });
  }

  let joining: Promise<void> = Promise.resolve();
  return {
    start() {
      joining = join();
      return joining;
    },
    pause: ({ topic, partition }) => whileRunning(() => consumer.pause([{ topic, partitions: [partition] }])),
    resume: ({ topic, partition }) => whileRunning(() => consumer.resume([{ topic, partitions: [partition] }])),
    seek: ({ topic, partition, offset }) =>
      whileRunning(() => consumer.seek({ topic, partition, offset: String(offset) })),
    commit: (offsets) =>
      consumer.commitOffsets(
        offsets.map(({ topic, partition, offset, generation }) => ({
          topic,
          partition,
          offset: String(offset),
          metadata: metadataOf({ generation, store: options.store?.() }),
        })),
      ),
    async stop() {
      // kafkajs forgets a member that is stopped while it joins, but goes on joining: it would keep its partitions for ever and read none.
      await joining.catch(() => undefined);
      await consumer.disconnect();
    },
  };
}

/** Says which right a group lacks: kafkajs says only that there is one. */
function named(error: unknown, { groupId, topics }: Pick<KafkaSourceOptions, "groupId" | "topics">): unknown {
  if (!isDenied(error)) return error;
  const isOfGroup = error instanceof Error && Reflect.get(error, "type") === "GROUP_AUTHORIZATION_FAILED";
  const [resource, name] = isOfGroup ? (["group", groupId] as const) : (["topic", topics.join(",")] as const);
  return new KafkaAccessDenied({ operation: "Read", resource, name });
}

function listen(consumer: Consumer, events: SourceEvents): void {
  const { GROUP_JOIN, HEARTBEAT, REBALANCING, CRASH } = consumer.events;
  consumer.on(GROUP_JOIN, (event) => {
    const partitions = partitionsOf(event);
    // Paused in the same turn, before a first fetch can start from the group's commit.
    for (const [topic, ofTopic] of Object.entries(event.payload.memberAssignment)) {
      consumer.pause([{ topic, partitions: [...ofTopic] }]);
    }
    events.alive();
    events.assigned(partitions);
  });
  // A fetch is no sign of life: kafkajs goes on fetching after it lost its member id and could not join again, without a heartbeat, for ever.
  for (const name of [HEARTBEAT, REBALANCING] as const) consumer.on(name, () => events.alive());
  consumer.on(CRASH, ({ payload }) => events.crashed(payload.error));
}

function partitionsOf(event: ConsumerGroupJoinEvent): readonly TopicPartition[] {
  return Object.entries(event.payload.memberAssignment).flatMap(([topic, partitions]) =>
    partitions.map((partition) => ({ topic, partition })),
  );
}

function handOver({ batch, resolveOffset, isStale }: EachBatchPayload, events: SourceEvents): void {
  if (isStale()) return;
  const { topic, partition } = batch;
  // Resolved first, so that a seek or pause made while it is taken in has the last word.
  resolveOffset(batch.lastOffset());
  events.batch({ topic, partition }, toFetchedBatch(batch.messages, Number(batch.highWatermark)));
}

/** Returns whether the log holds nothing behind a batch: with a backlog the next fetch is a full one, and not waited for. */
function isAtEnd({ batch }: EachBatchPayload): boolean {
  return Number(batch.lastOffset()) + 1 >= Number(batch.highWatermark);
}

function toFetchedBatch(messages: readonly KafkaMessage[], highWatermark: number): FetchedBatch {
  return { frames: messages.map(toFrame), highWatermark };
}

/**
 * Creates a wait for the end of the interval that the first fetch in it began. kafkajs fetches again when all batches of a fetch have ended,
 * and a fetch costs the broker and us about as much whatever it holds: without an interval a steady trickle is fetched record by record.
 * What comes after a quiet time is handed over at once.
 */
export function createFetchInterval(
  intervalMs: number,
  clock: Pick<Clock, "monotonicMs">,
  rest: (ms: number) => Promise<unknown> = sleep,
): () => Promise<void> {
  let endsAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock.monotonicMs();
    if (nowMs >= endsAtMs) endsAtMs = nowMs + intervalMs;
    if (endsAtMs > nowMs) await rest(endsAtMs - nowMs);
  };
}
