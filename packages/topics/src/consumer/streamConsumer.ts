import { classifyFailure, systemClock, withTimeout } from "@headwater/kernel";
import { createTopicAdmin } from "../catalogue/topicAdmin.ts";
import { createLogReader } from "../kafka/logReader.ts";
import { unavailable } from "../kafka/unavailable.ts";
import type { StreamConsumer, StreamConsumerOptions } from "./consumerApi.ts";
import { createKafkaSource } from "./kafkaSource.ts";
import { createMembership } from "./membership.ts";
import type { FetchedBatch } from "./partitionFeed.ts";
import { createPartitionRunner } from "./partitionRunner.ts";
import type { LogRange, PartitionRunner, RunnerStatus } from "./runnerApi.ts";
import { createSlots } from "./slots.ts";
import type { StreamSource, TopicPartition } from "./streamSource.ts";

const MIB = 1024 * 1024;
const TICK_MS = 1_000;
const STOP_TIMEOUT_MS = 30_000;
const MAX_WAIT_MS = 250;

/**
 * A member of a consumer group that never loses its place: the handler says where every partition begins, batches that
 * begin elsewhere are refused, and the commits in Kafka are for displays only.
 */
export function createStreamConsumer(options: StreamConsumerOptions): StreamConsumer {
  const { logger, clock = systemClock, groupId } = options;
  const times = timesOf(options);
  const admin = options.admin ?? createTopicAdmin({ ...options, timeoutMs: times.requestTimeoutMs });
  const reader = options.reader ?? createLogReader({ ...options, timeoutMs: times.requestTimeoutMs });
  const openSource = options.openSource ?? ((events) => createKafkaSource(sourceOptions(options), events));
  const slots = createSlots(options.partitionsConcurrently ?? 4);
  const stopping = new AbortController();
  const runners = new Map<string, PartitionRunner>();
  /** Ends of the last runners of partitions, so that two never work on one partition in this process. */
  const endings = new Map<string, Promise<void>>();
  const group = { groupId, assigned, batch, lost: retireAll };
  const membership = createMembership({ ...times, ...group, openSource, logger, clock });
  const due = { commitMs: 0, lookMs: 0 };
  let ticker: NodeJS.Timeout | undefined;
  /** Set by a fatal error or a stop: nothing is taken over any more. */
  let isEnding = false;

  function assigned(source: StreamSource, partitions: readonly TopicPartition[]): void {
    if (isEnding) return;
    retireAll();
    for (const at of partitions) {
      const runner = startRunner(source, at, endings.get(idOf(at)) ?? Promise.resolve());
      runners.set(idOf(at), runner);
      endings.set(idOf(at), runner.done);
    }
    logger.info({ group: groupId, partitions: partitions.map(idOf) }, "partitions assigned");
  }

  function batch(at: TopicPartition, fetched: FetchedBatch): void {
    runners.get(idOf(at))?.offer(fetched);
  }

  function startRunner(source: StreamSource, at: TopicPartition, before: Promise<void>): PartitionRunner {
    return createPartitionRunner({
      at,
      before,
      source,
      handler: options.handler,
      slots,
      logger,
      clock,
      limits: limitsOf(options),
      rangeOf,
      reader,
      isRetriable: options.isRetriable ?? isInfrastructureFailure,
      onFatal: fatal,
      signal: stopping.signal,
      observer: options.observer,
    });
  }

  async function rangeOf({ topic, partition }: TopicPartition): Promise<LogRange> {
    const found = (await admin.watermarks(topic)).find((watermarks) => watermarks.partition === partition);
    if (found === undefined) throw unavailable(`Kafka does not know ${topic}/${partition}.`, 1);
    return found;
  }

  function retireAll(): void {
    for (const runner of runners.values()) runner.retire();
    runners.clear();
  }

  function fatal(error: unknown): void {
    retireAll();
    if (isEnding) return;
    isEnding = true;
    options.onFatal(error);
  }

  function tick(): void {
    const nowMs = clock.monotonicMs();
    membership.check();
    for (const [id, runner] of runners) {
      if (nowMs - (runner.silentSinceMs() ?? nowMs) > times.handlerTimeoutMs) {
        fatal(new Error(`${id}: a batch has been silent for more than ${times.handlerTimeoutMs} ms`));
      }
    }
    if (nowMs >= due.commitMs) {
      due.commitMs = nowMs + times.commitIntervalMs;
      void commit();
    }
    if (nowMs >= due.lookMs) {
      due.lookMs = nowMs + times.lookIntervalMs;
      void look();
    }
  }

  async function look(): Promise<void> {
    const positionsBefore = new Map(positions().map((status) => [idOf(status), status.offset]));
    try {
      for (const topic of options.topics) {
        for (const watermarks of await admin.watermarks(topic)) {
          const id = idOf({ topic, partition: watermarks.partition });
          runners.get(id)?.look(watermarks, positionsBefore.get(id) ?? 0);
        }
      }
    } catch (error) {
      logger.debug({ err: error, group: groupId }, "fetching log end offsets failed");
    }
  }

  async function commit(): Promise<void> {
    const offsets = positions();
    const source = membership.source();
    if (source === undefined || offsets.length === 0) return;
    try {
      await withTimeout(() => source.commit(offsets), times.requestTimeoutMs);
    } catch (error) {
      logger.debug({ err: error, group: groupId }, "offset commit failed; offsets in Postgres are authoritative");
    }
  }

  function positions(): readonly RunnerStatus[] {
    return [...runners.values()].map((runner) => runner.status()).filter((status) => status !== undefined);
  }

  return {
    async start() {
      ticker = setInterval(tick, TICK_MS);
      await membership.start();
    },
    positions,
    held: () => [...runners.values()].map((runner) => runner.held()).filter((held) => held !== undefined),
    state: membership.state,
    async stop(timeoutMs = STOP_TIMEOUT_MS) {
      clearInterval(ticker);
      isEnding = true;
      for (const runner of runners.values()) runner.retire();
      const abort = setTimeout(() => stopping.abort(new Error("the consumer stops")), timeoutMs);
      await Promise.all(endings.values());
      clearTimeout(abort);
      await commit();
      await membership.stop();
      runners.clear();
      await admin.close();
      await reader.close();
    },
  };
}

function timesOf(options: StreamConsumerOptions) {
  const { sessionTimeoutMs = 15_000, requestTimeoutMs = 10_000 } = options;
  return {
    sessionTimeoutMs,
    requestTimeoutMs,
    stallTimeoutMs: options.stallTimeoutMs ?? 2 * sessionTimeoutMs + requestTimeoutMs,
    handlerTimeoutMs: options.handlerTimeoutMs ?? 300_000,
    commitIntervalMs: options.commitIntervalMs ?? 5_000,
    lookIntervalMs: options.lookIntervalMs ?? 15_000,
  };
}

function limitsOf(options: StreamConsumerOptions) {
  const { maxBytesPerPartition = MIB, batchBytesMax = 2 * MIB } = options;
  return {
    batchFramesMax: options.batchFramesMax ?? 2_000,
    batchBytesMax,
    queueBytesMax: 2 * Math.max(maxBytesPerPartition, batchBytesMax),
    lingerMs: options.lingerMs ?? 0,
    lingerBytes: options.lingerBytes ?? 0,
  };
}

function sourceOptions(options: StreamConsumerOptions) {
  const { sessionTimeoutMs, requestTimeoutMs } = timesOf(options);
  const maxBytesPerPartition = options.maxBytesPerPartition ?? MIB;
  return { ...options, sessionTimeoutMs, requestTimeoutMs, maxBytesPerPartition, maxWaitMs: MAX_WAIT_MS };
}

function idOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

/** Handlers quarantine what is poison; poison that a handler lets through is a fault that no record shows. */
function isInfrastructureFailure(error: unknown): boolean {
  return classifyFailure(error) === "infrastructure";
}
