import { type Clock, HeadwaterError, type Logger, SYSTEM_FLOW, systemClock, withTimeout } from "@headwater/kernel";
import type { Codec } from "../codec/codec.ts";
import { unavailable } from "../kafka/unavailable.ts";
import { type Admission, createAdmission } from "./admission.ts";
import { type BrokerClock, createBrokerClock } from "./brokerClock.ts";
import { createDrainRate } from "./drainRate.ts";
import { createFrameBatcher, type FrameBatch, type FrameBatcher } from "./frameBatcher.ts";
import { connectSender } from "./kafkaSender.ts";
import { createPendingAppend, type PendingAppend, type Placement, type WrittenAt } from "./pendingAppend.ts";
import type { FrameAppend, FrameContent, PendingMessage } from "./pendingMessage.ts";
import type { FrameProducer, FrameProducerOptions, PublishedMessage } from "./producerApi.ts";
import { createProducerLink, type ProducerLink, type Sender, type SendTopic } from "./producerLink.ts";
import { checkAnswer } from "./sendAnswer.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** Limit under `max.message.bytes` of the topics (4 MiB), which bounds what one send puts into one partition. */
export const MESSAGE_BYTES_MAX = 3 * MIB;
const PARTITION_BYTES_MAX = MIB;
/** Three accounts at their bound leave as much as the largest request of a fourth takes (32 MiB). */
const BYTES_IN_FLIGHT_MAX = 128 * MIB;
/**
 * Time that a send should take: whoever comes while it is under way waits for its end, and for the send that follows. On a broker that is fast
 * enough every send may be full.
 */
const SEND_MS = 25;
/** A send takes as much on any broker: smaller ones would cost more than they carry. */
const SEND_BYTES_MIN = 256 * KIB;
/** A send that holds so much gains nothing by waiting. */
const ENOUGH_BYTES = 512 * KIB;
/** Bytes of waiting frames that are encoded after a send, for later ones: twice what a send takes, a few milliseconds. */
const ENCODED_BYTES_MAX = 4 * MIB;
const DRAIN_POLL_MS = 5;
const NOTHING_UNDER_WAY = { bytes: 0, sinceMs: 0 };

/**
 * The way into the log: batches records of several requests into frames and sends one batch of frames at a time.
 *
 * After a send that failed its kafkajs producer is thrown away: when only the answer was lost, the next send would reuse
 * sequence numbers the broker has seen, and be dropped while it seems to succeed.
 */
export function createFrameProducer(options: FrameProducerOptions): FrameProducer {
  return new BatchingProducer(options);
}

class BatchingProducer implements FrameProducer {
  readonly #options: FrameProducerOptions;
  readonly #clock: Clock;
  readonly #lingerMs: number;
  readonly #logger: Logger;
  readonly #observer: FrameProducerOptions["observer"];
  readonly #requestTimeoutMs: number;
  readonly #drainRate = createDrainRate();
  readonly #brokerClock: BrokerClock;
  readonly #batcher: FrameBatcher;
  readonly #link: ProducerLink;
  #bytesUnderWay = 0;
  #sendingSinceMs = 0;
  readonly #admission: Admission;
  #isSending = false;
  #isDraining = false;
  #lingerTimer: NodeJS.Timeout | undefined;

  constructor(options: FrameProducerOptions) {
    const { logger, observer, clock = systemClock, requestTimeoutMs = 10_000, lingerMs = 1 } = options;
    this.#options = options;
    this.#clock = clock;
    this.#lingerMs = lingerMs;
    this.#logger = logger;
    this.#observer = observer;
    this.#brokerClock = createBrokerClock({ clock, logger, observer });
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#batcher = createFrameBatcher({
      frameRecordsMax: options.frameRecordsMax ?? 500,
      frameBytesMax: options.frameBytesMax ?? 512 * KIB,
      sendBytesMax: options.sendBytesMax ?? 2 * MIB,
      partitionBytesMax: PARTITION_BYTES_MAX,
    });
    this.#link = createProducerLink(
      options.connect ?? (() => connect(options, requestTimeoutMs)),
      { ready: () => this.#schedule(), away: (error) => this.#away(error) },
      logger,
    );
    this.#admission = createAdmission({
      batcher: this.#batcher,
      drainRate: this.#drainRate,
      underWay: () => ({ bytes: this.#bytesUnderWay, sinceMs: this.#sendingSinceMs }),
      bytesMax: options.bytesInFlightMax ?? BYTES_IN_FLIGHT_MAX,
      clock,
    });
  }

  start(): Promise<void> {
    return this.#link.start();
  }

  async append(append: FrameAppend): Promise<readonly Placement[]> {
    if (append.entries.length === 0) return [];
    if (!this.#options.codec.isReady()) throw unavailable("The schema registry has not answered yet.", 1);
    this.#refuseWhenClosed();
    this.#admission.refuseWhenFull(append.account, charactersOf(append));
    const { promise, resolve, reject } = Promise.withResolvers<readonly Placement[]>();
    const pendingAppend = createPendingAppend(resolve, reject);
    this.#accept((nowMs) => this.#batcher.append(append, pendingAppend, nowMs));
    return promise;
  }

  async publish(messages: Parameters<FrameProducer["publish"]>[0]): ReturnType<FrameProducer["publish"]> {
    for (const { topic, value } of messages) expectPublishable(topic, value);
    this.#refuseWhenClosed();
    const bytes = messages.reduce((sum, { value }) => sum + value.length, 0);
    this.#admission.refuseWhenFull(SYSTEM_FLOW, bytes);
    const pendingAppends = messages.map(() => createPublication());
    this.#accept((nowMs) => {
      messages.forEach((message, index) => {
        const publication = pendingAppends[index];
        if (publication !== undefined) this.#batcher.publish(message, publication.pendingAppend, nowMs);
      });
    });
    return Promise.all(pendingAppends.map(({ promise }) => promise));
  }

  state(): ReturnType<FrameProducer["state"]> {
    return { link: this.#link.state().kind, queuedBytes: this.#queuedBytes(), isDraining: this.#isDraining };
  }

  backlog(account: string): ReturnType<FrameProducer["backlog"]> {
    return this.#admission.backlog(account);
  }

  async drain(timeoutMs: number): Promise<{ readonly leftBytes: number }> {
    this.#isDraining = true;
    this.#schedule();
    const deadlineMs = this.#clock.monotonicMs() + timeoutMs;
    while (this.#queuedBytes() > 0 && this.#clock.monotonicMs() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
    }
    const leftBytes = this.#queuedBytes();
    clearTimeout(this.#lingerTimer);
    this.#link.close();
    failMessages(this.#batcher.discard(), new Error("the service is shutting down"));
    return { leftBytes };
  }

  #queuedBytes(): number {
    return this.#batcher.waiting().bytes + this.#bytesUnderWay;
  }

  #refuseWhenClosed(): void {
    const state = this.#link.state();
    if (this.#isDraining) throw unavailable("The service is shutting down.", 1);
    if (state.kind === "away") throw unavailable("The record log is unavailable.", state.retryAfterSeconds);
    if (state.kind === "starting" || state.kind === "closed")
      throw unavailable("The record log is not connected yet.", 1);
  }

  /** Sends now when there is enough or the oldest record waited long enough; else arms the timer for then. */
  #schedule(): void {
    if (this.#isSending || this.#link.sender() === undefined) return;
    const { bytes, oldestMs } = this.#batcher.waiting();
    if (oldestMs === undefined) return;
    const waitMs =
      bytes >= ENOUGH_BYTES || this.#isDraining ? 0 : oldestMs + this.#lingerMs - this.#clock.monotonicMs();
    if (waitMs <= 0) {
      void this.#sendNext();
    } else {
      this.#lingerTimer ??= setTimeout(() => {
        this.#lingerTimer = undefined;
        this.#schedule();
      }, waitMs);
    }
  }

  async #sendNext(): Promise<void> {
    const sender = this.#link.sender();
    const batch = this.#batcher.take(this.#sendBytesMax());
    if (sender === undefined || batch.messages.length === 0) return;
    this.#isSending = true;
    this.#bytesUnderWay = batch.bytes;
    const startedMs = this.#clock.monotonicMs();
    this.#sendingSinceMs = startedMs;
    // Behind the write of this send, so that Kafka works meanwhile.
    setImmediate(() => this.#encodeWaiting());
    const failure = await this.#send(sender, batch, startedMs);
    this.#isSending = false;
    this.#bytesUnderWay = 0;
    if (failure !== undefined) {
      const durationMs = this.#clock.monotonicMs() - startedMs;
      this.#logger.warn({ err: failure, durationMs, records: batch.records }, "send failed, recreating the producer");
      this.#observer?.failed?.({ durationMs, records: batch.records, error: failure });
      this.#link.replace();
    }
    failMessages(
      this.#batcher.discard(this.#clock.monotonicMs() - this.#requestTimeoutMs),
      new Error("timed out in the send queue"),
    );
    this.#observer?.queued?.(this.#queuedBytes());
    this.#schedule();
  }

  #sendBytesMax(): number | undefined {
    const rate = this.#drainRate.bytesPerMs(NOTHING_UNDER_WAY);
    return rate === undefined ? undefined : Math.max(SEND_BYTES_MIN, rate * SEND_MS);
  }

  #encodeWaiting(): void {
    this.#batcher.encodeWaiting((content) => toFrame(content, this.#options.codec), ENCODED_BYTES_MAX);
  }

  /** @returns the error when any message of the send is not known to be written; its pendingAppends are failed then. */
  async #send(sender: Sender, batch: FrameBatch, startedMs: number): Promise<unknown> {
    const answered = this.#brokerClock.begin();
    try {
      const answers = await withTimeout(
        () => sender.send(toSendTopics(batch.messages, this.#options.codec)),
        this.#requestTimeoutMs,
      );
      const results = checkAnswer(batch.messages, answers);
      answered(results);
      let failure: unknown;
      for (const result of results) {
        if (result.kind === "written") {
          complete(result.message, result);
        } else {
          failure = new Error(`${result.message.topic}/${result.message.partition}: ${result.reason}`);
          failMessages([result.message], failure);
        }
      }
      if (failure === undefined) this.#reportSent(batch, startedMs);
      return failure;
    } catch (error) {
      failMessages(batch.messages, error);
      return error ?? new Error("the send failed without an error");
    }
  }

  #reportSent({ messages, records, bytes }: FrameBatch, startedMs: number): void {
    const durationMs = this.#clock.monotonicMs() - startedMs;
    this.#drainRate.sent(bytes, durationMs);
    this.#observer?.sent?.({ durationMs, messages: messages.length, records, bytes });
  }

  #away(error: unknown): void {
    failMessages(this.#batcher.discard(), error);
    this.#observer?.queued?.(this.#queuedBytes());
  }

  #accept(append: (nowMs: number) => void): void {
    append(this.#clock.monotonicMs());
    this.#observer?.queued?.(this.#queuedBytes());
    this.#schedule();
  }
}

function charactersOf({ entries }: FrameAppend): number {
  return entries.reduce((sum, { text }) => sum + text.length, 0);
}

function connect(options: FrameProducerOptions, requestTimeoutMs: number): Promise<Sender> {
  const { brokers, security, produceEncoder, clientId, logger, socketFactory } = options;
  return connectSender({
    brokers,
    security,
    produceEncoder,
    clientId,
    logger,
    // Half of the whole bound, so that one lost answer leaves time for one retry.
    requestTimeoutMs: Math.max(1, Math.floor(requestTimeoutMs / 2)),
    ...(socketFactory === undefined ? {} : { socketFactory }),
  });
}

/** @throws RangeError for a value that no topic of ours takes as a message: it can never be written. */
export function expectPublishable(topic: string, value: Buffer): void {
  if (value.length > MESSAGE_BYTES_MAX) {
    throw new RangeError(`a message of ${value.length} bytes for ${topic} exceeds the limit of ${MESSAGE_BYTES_MAX}`);
  }
}

/** Codec that puts frames together, from texts that exist already. */
type FrameCodec = Pick<Codec, "frame">;

/** Returns what a send holds, by topic, as kafkajs takes it. */
function toSendTopics(messages: readonly PendingMessage[], codec: FrameCodec): readonly SendTopic[] {
  const byTopic = Map.groupBy(messages, ({ topic }) => topic);
  return [...byTopic].map(([topic, ofTopic]) => ({
    topic,
    messages: ofTopic.map((message) => toKafka(message, codec)),
  }));
}

/** Returns the frame as the log holds it. */
function toFrame({ value, subject, account, texts }: FrameContent, codec: FrameCodec): Buffer {
  return value ?? codec.frame(subject, account, texts);
}

function toKafka({ partition, content }: PendingMessage, codec: FrameCodec): SendTopic["messages"][number] {
  if (content.kind === "frame") {
    const { key, traceparent } = content;
    const value = toFrame(content, codec);
    return { partition, key, value, ...(traceparent === undefined ? {} : { headers: { traceparent } }) };
  }
  const { key, value, headers } = content.message;
  return { partition, key, value, ...(headers === undefined ? {} : { headers: { ...headers } }) };
}

/** Resolves the requests whose records are in a message with its position in the log. */
function complete(message: PendingMessage, at: WrittenAt): void {
  for (const { append, firstPlace: firstPosition, count } of message.parts) {
    append.written(message, { ...at, firstPlace: firstPosition, count });
  }
}

/** Fails them when it was not written, or when nobody knows. */
function failMessages(messages: readonly PendingMessage[], cause: unknown): void {
  if (messages.length === 0) return;
  const error =
    cause instanceof HeadwaterError && cause.retriable
      ? cause
      : unavailable("The record log did not acknowledge the records.", 1, cause);
  for (const { parts } of messages) {
    for (const { append } of parts) append.failed(error);
  }
}

/** A pendingAppend of one ready value. */
function createPublication(): {
  readonly pendingAppend: PendingAppend;
  readonly promise: Promise<PublishedMessage>;
} {
  const { promise, resolve, reject } = Promise.withResolvers<PublishedMessage>();
  const resolved = ([placement]: readonly Placement[]) => {
    if (placement !== undefined) {
      resolve({ topic: placement.topic, partition: placement.partition, offset: placement.firstOffset });
    }
  };
  return { pendingAppend: createPendingAppend(resolved, reject), promise };
}
