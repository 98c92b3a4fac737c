import { type Clock, classifyFailure, type Logger, systemClock, withTimeout } from "@headwater/kernel";
import { createTopicAdmin } from "../catalogue/topicAdmin.ts";
import { createLogReader } from "../kafka/logReader.ts";
import { unavailable } from "../kafka/unavailable.ts";
import type { StreamConsumer, StreamConsumerOptions } from "./consumerApi.ts";
import { createKafkaSource } from "./kafkaSource.ts";
import { createMembership, type Membership } from "./membership.ts";
import { createPace, type Pace } from "./pace.ts";
import type { FetchedBatch } from "./partitionFeed.ts";
import { createPartitionRunner } from "./partitionRunner.ts";
import type { HeldPartition, LogRange, PartitionRunner, RunnerStatus } from "./runnerApi.ts";
import { createSlots, type Slots } from "./slots.ts";
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
  return new PartitionedConsumer(options);
}

class PartitionedConsumer implements StreamConsumer {
  readonly #logger: Logger;
  readonly #groupId: string;
  readonly #options: StreamConsumerOptions;
  readonly #clock: Clock;
  readonly #times: ReturnType<typeof timesOf>;
  readonly #admin: NonNullable<StreamConsumerOptions["admin"]>;
  readonly #reader: NonNullable<StreamConsumerOptions["reader"]>;
  readonly #slots: Slots;
  readonly #pace: Pace;
  readonly #stopping = new AbortController();
  readonly #runners = new Map<string, PartitionRunner>();
  /** Ends of the last runners of partitions, so that two never work on one partition in this process. */
  readonly #endings = new Map<string, Promise<void>>();
  readonly #membership: Membership;
  readonly #due = { commitMs: 0, lookMs: 0 };
  #ticker: NodeJS.Timeout | undefined;
  /** Set by a fatal error or a stop: nothing is taken over any more. */
  #isEnding = false;

  constructor(options: StreamConsumerOptions) {
    const { logger, clock = systemClock, groupId } = options;
    this.#logger = logger;
    this.#groupId = groupId;
    this.#options = options;
    this.#clock = clock;
    this.#times = timesOf(options);
    this.#admin = options.admin ?? createTopicAdmin({ ...options, timeoutMs: this.#times.requestTimeoutMs });
    this.#reader = options.reader ?? createLogReader({ ...options, timeoutMs: this.#times.requestTimeoutMs });
    this.#slots = createSlots(options.partitionsConcurrently ?? 4);
    this.#pace = createPace({ intervalMs: options.lingerMs ?? 0, timesBatch: options.lingerTimesBatch, clock });
    this.#membership = createMembership({
      ...this.#times,
      groupId,
      assigned: (source, partitions) => this.#assigned(source, partitions),
      batch: (at, fetched) => this.#batch(at, fetched),
      lost: () => this.#retireAll(),
      openSource: options.openSource ?? ((events) => createKafkaSource(sourceOptions(options), events)),
      logger,
      clock,
    });
  }

  async start(): Promise<void> {
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    await this.#membership.start();
  }

  positions(): readonly RunnerStatus[] {
    return [...this.#runners.values()].map((runner) => runner.status()).filter((status) => status !== undefined);
  }

  state(): ReturnType<StreamConsumer["state"]> {
    return this.#membership.state();
  }

  held(): readonly HeldPartition[] {
    return [...this.#runners.values()].map((runner) => runner.held()).filter((held) => held !== undefined);
  }

  async stop(timeoutMs: number = STOP_TIMEOUT_MS): Promise<void> {
    clearInterval(this.#ticker);
    this.#isEnding = true;
    for (const runner of this.#runners.values()) runner.retire();
    const abort = setTimeout(() => this.#stopping.abort(new Error("the consumer stops")), timeoutMs);
    await Promise.all(this.#endings.values());
    clearTimeout(abort);
    await this.#commit();
    await this.#membership.stop();
    this.#runners.clear();
    await this.#admin.close();
    await this.#reader.close();
  }

  #assigned(source: StreamSource, partitions: readonly TopicPartition[]): void {
    if (this.#isEnding) return;
    this.#retireAll();
    for (const at of partitions) {
      const runner = this.#startRunner(source, at, this.#endings.get(idOf(at)) ?? Promise.resolve());
      this.#runners.set(idOf(at), runner);
      this.#endings.set(idOf(at), runner.done);
    }
    this.#logger.info({ group: this.#groupId, partitions: partitions.map(idOf) }, "partitions assigned");
  }

  #batch(at: TopicPartition, fetched: FetchedBatch): void {
    this.#runners.get(idOf(at))?.offer(fetched);
  }

  #startRunner(source: StreamSource, at: TopicPartition, before: Promise<void>): PartitionRunner {
    return createPartitionRunner({
      at,
      before,
      source,
      handler: this.#options.handler,
      slots: this.#slots,
      logger: this.#logger,
      clock: this.#clock,
      limits: limitsOf(this.#options),
      pace: this.#pace,
      rangeOf: (at) => this.#rangeOf(at),
      reader: this.#reader,
      isRetriable: this.#options.isRetriable ?? isInfrastructureFailure,
      onFatal: (error) => this.#fatal(error),
      signal: this.#stopping.signal,
      observer: this.#options.observer,
    });
  }

  async #rangeOf({ topic, partition }: TopicPartition): Promise<LogRange> {
    const found = (await this.#admin.watermarks(topic)).find((watermarks) => watermarks.partition === partition);
    if (found === undefined) throw unavailable(`Kafka does not know ${topic}/${partition}.`, 1);
    return found;
  }

  #retireAll(): void {
    for (const runner of this.#runners.values()) runner.retire();
    this.#runners.clear();
  }

  #fatal(error: unknown): void {
    this.#retireAll();
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#options.onFatal(error);
  }

  #tick(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#membership.check();
    for (const [id, runner] of this.#runners) {
      if (nowMs - (runner.silentSinceMs() ?? nowMs) > this.#times.handlerTimeoutMs) {
        this.#fatal(new Error(`${id}: a batch has been silent for more than ${this.#times.handlerTimeoutMs} ms`));
      }
    }
    if (nowMs >= this.#due.commitMs) {
      this.#due.commitMs = nowMs + this.#times.commitIntervalMs;
      void this.#commit();
    }
    if (nowMs >= this.#due.lookMs) {
      this.#due.lookMs = nowMs + this.#times.lookIntervalMs;
      void this.#look();
    }
  }

  async #look(): Promise<void> {
    const positionsBefore = new Map(this.positions().map((status) => [idOf(status), status.offset]));
    try {
      for (const topic of this.#options.topics) {
        for (const watermarks of await this.#admin.watermarks(topic)) {
          const id = idOf({ topic, partition: watermarks.partition });
          this.#runners.get(id)?.look(watermarks, positionsBefore.get(id) ?? 0);
        }
      }
    } catch (error) {
      this.#logger.debug({ err: error, group: this.#groupId }, "fetching log end offsets failed");
    }
  }

  async #commit(): Promise<void> {
    const offsets = this.positions();
    const source = this.#membership.source();
    if (source === undefined || offsets.length === 0) return;
    try {
      await withTimeout(() => source.commit(offsets), this.#times.requestTimeoutMs);
    } catch (error) {
      this.#logger.debug(
        { err: error, group: this.#groupId },
        "offset commit failed; offsets in Postgres are authoritative",
      );
    }
  }
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
    lingerBytes: options.lingerBytes ?? 0,
  };
}

function sourceOptions(options: StreamConsumerOptions) {
  const { sessionTimeoutMs, requestTimeoutMs } = timesOf(options);
  const maxBytesPerPartition = options.maxBytesPerPartition ?? MIB;
  const { fetchIntervalMs = 0 } = options;
  return {
    ...options,
    sessionTimeoutMs,
    requestTimeoutMs,
    maxBytesPerPartition,
    maxWaitMs: MAX_WAIT_MS,
    fetchIntervalMs,
  };
}

function idOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

/** Handlers quarantine what is poison; poison that a handler lets through is a fault that no record shows. */
function isInfrastructureFailure(error: unknown): boolean {
  return classifyFailure(error) === "infrastructure";
}
