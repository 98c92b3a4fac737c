import { SYSTEM_FLOW, systemClock, withTimeout } from "@headwater/kernel";
import { unavailable } from "../kafka/unavailable.ts";
import { createAdmission } from "./admission.ts";
import { createDrainRate } from "./drainRate.ts";
import { createFrameBatcher, type FrameAppend, type Gathered } from "./frameBatcher.ts";
import { connectSender } from "./kafkaSender.ts";
import { createPendingAppend, type Placement } from "./pendingAppend.ts";
import type { FrameProducer, FrameProducerOptions } from "./producerApi.ts";
import { createProducerLink, type Sender } from "./producerLink.ts";
import { judgeAnswer } from "./sendAnswer.ts";
import { toSendTopics } from "./sendTopics.ts";
import { createPublication, failMessages, settle } from "./settlement.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** Limit under `max.message.bytes` of the topics (4 MiB), which bounds what one send puts into one partition. */
export const MESSAGE_BYTES_MAX = 3 * MIB;
const PARTITION_BYTES_MAX = MIB;
/** Three accounts at their bound leave as much as the largest request of a fourth takes (32 MiB). */
const BYTES_IN_FLIGHT_MAX = 128 * MIB;
/** A send that holds so much gains nothing by waiting. */
const ENOUGH_BYTES = 512 * KIB;
const DRAIN_POLL_MS = 5;

/**
 * The way into the log: gathers records of several requests into frames and sends one batch of frames at a time.
 *
 * After a send that failed its kafkajs producer is thrown away: when only the answer was lost, the next send would reuse
 * sequence numbers the broker has seen, and be dropped while it seems to succeed.
 */
export function createFrameProducer(options: FrameProducerOptions): FrameProducer {
  const { logger, observer, clock = systemClock, requestTimeoutMs = 10_000, lingerMs = 3 } = options;
  const bytesInFlightMax = options.bytesInFlightMax ?? BYTES_IN_FLIGHT_MAX;
  const drainRate = createDrainRate();
  const batcher = createFrameBatcher({
    frameRecordsMax: options.frameRecordsMax ?? 500,
    frameBytesMax: options.frameBytesMax ?? 512 * KIB,
    sendBytesMax: options.sendBytesMax ?? 2 * MIB,
    partitionBytesMax: PARTITION_BYTES_MAX,
  });
  const link = createProducerLink(
    options.connect ?? (() => connect(options, requestTimeoutMs)),
    { ready: schedule, away },
    logger,
  );
  let bytesUnderWay = 0;
  let sendingSinceMs = 0;
  const underWay = () => ({ bytes: bytesUnderWay, sinceMs: sendingSinceMs });
  const admission = createAdmission({ batcher, drainRate, underWay, bytesMax: bytesInFlightMax, clock });
  let isSending = false;
  let isDraining = false;
  let lingerTimer: NodeJS.Timeout | undefined;

  const queuedBytes = () => batcher.waiting().bytes + bytesUnderWay;

  function refuseWhenClosed(): void {
    const state = link.state();
    if (isDraining) throw unavailable("The service is shutting down.", 1);
    if (state.kind === "away") throw unavailable("The record log is unavailable.", state.retryAfterSeconds);
    if (state.kind === "starting" || state.kind === "closed")
      throw unavailable("The record log is not connected yet.", 1);
  }

  /** Sends now when there is enough or the oldest record waited long enough; else arms the timer for then. */
  function schedule(): void {
    if (isSending || link.sender() === undefined) return;
    const { bytes, oldestMs } = batcher.waiting();
    if (oldestMs === undefined) return;
    const waitMs = bytes >= ENOUGH_BYTES || isDraining ? 0 : oldestMs + lingerMs - clock.monotonicMs();
    if (waitMs <= 0) {
      void sendNext();
    } else {
      lingerTimer ??= setTimeout(() => {
        lingerTimer = undefined;
        schedule();
      }, waitMs);
    }
  }

  async function sendNext(): Promise<void> {
    const sender = link.sender();
    const gathered = batcher.take();
    if (sender === undefined || gathered.messages.length === 0) return;
    isSending = true;
    bytesUnderWay = gathered.bytes;
    const startedMs = clock.monotonicMs();
    sendingSinceMs = startedMs;
    const failure = await send(sender, gathered, startedMs);
    isSending = false;
    bytesUnderWay = 0;
    if (failure !== undefined) {
      const durationMs = clock.monotonicMs() - startedMs;
      logger.warn({ err: failure, durationMs, records: gathered.records }, "send failed, recreating the producer");
      observer?.failed?.({ durationMs, records: gathered.records, error: failure });
      link.replace();
    }
    failMessages(batcher.discard(clock.monotonicMs() - requestTimeoutMs), new Error("timed out in the send queue"));
    observer?.queued?.(queuedBytes());
    schedule();
  }

  /** @returns the error when any message of the send is not known to be written; its pendingAppends are failed then. */
  async function send(sender: Sender, gathered: Gathered, startedMs: number): Promise<unknown> {
    try {
      const answers = await withTimeout(
        () => sender.send(toSendTopics(gathered.messages, options.codec)),
        requestTimeoutMs,
      );
      const verdicts = judgeAnswer(gathered.messages, answers);
      let failure: unknown;
      for (const verdict of verdicts) {
        if (verdict.kind === "written") {
          settle(verdict.message, verdict);
        } else {
          failure = new Error(`${verdict.message.topic}/${verdict.message.partition}: ${verdict.reason}`);
          failMessages([verdict.message], failure);
        }
      }
      if (failure === undefined) reportSent(gathered, startedMs);
      return failure;
    } catch (error) {
      failMessages(gathered.messages, error);
      return error ?? new Error("the send failed without an error");
    }
  }

  function reportSent({ messages, records, bytes }: Gathered, startedMs: number): void {
    const durationMs = clock.monotonicMs() - startedMs;
    drainRate.sent(bytes, durationMs);
    observer?.sent?.({ durationMs, messages: messages.length, records, bytes });
  }

  function away(error: unknown): void {
    failMessages(batcher.discard(), error);
    observer?.queued?.(queuedBytes());
  }

  function accept(gather: (nowMs: number) => void): void {
    gather(clock.monotonicMs());
    observer?.queued?.(queuedBytes());
    schedule();
  }

  return {
    start: () => link.start(),
    async append(append) {
      if (append.entries.length === 0) return [];
      if (!options.codec.isReady()) throw unavailable("The schema registry no response yet.", 1);
      refuseWhenClosed();
      admission.refuseWhenFull(append.account, charactersOf(append));
      const { promise, resolve, reject } = Promise.withResolvers<readonly Placement[]>();
      const pendingAppend = createPendingAppend(resolve, reject);
      accept((nowMs) => batcher.append(append, pendingAppend, nowMs));
      return promise;
    },
    async publish(messages) {
      for (const { topic, value } of messages) expectPublishable(topic, value);
      refuseWhenClosed();
      const bytes = messages.reduce((sum, { value }) => sum + value.length, 0);
      admission.refuseWhenFull(SYSTEM_FLOW, bytes);
      const pendingAppends = messages.map(() => createPublication());
      accept((nowMs) => {
        messages.forEach((message, index) => {
          const publication = pendingAppends[index];
          if (publication !== undefined) batcher.publish(message, publication.pendingAppend, nowMs);
        });
      });
      return Promise.all(pendingAppends.map(({ promise }) => promise));
    },
    state: () => ({ link: link.state().kind, queuedBytes: queuedBytes(), isDraining }),
    backlog: (account) => admission.backlog(account),
    async drain(timeoutMs) {
      isDraining = true;
      schedule();
      const deadlineMs = clock.monotonicMs() + timeoutMs;
      while (queuedBytes() > 0 && clock.monotonicMs() < deadlineMs) {
        await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
      }
      const leftBytes = queuedBytes();
      clearTimeout(lingerTimer);
      link.close();
      failMessages(batcher.discard(), new Error("the service is shutting down"));
      return { leftBytes };
    },
  };
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
