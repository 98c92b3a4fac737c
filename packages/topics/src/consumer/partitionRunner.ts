import type { Clock, Logger } from "@headwater/kernel";
import type { LogReader } from "../kafka/logReader.ts";
import { createLogCheck } from "./logCheck.ts";
import { LogMismatch } from "./logMark.ts";
import { createPartitionFeed, type FetchedBatch, type LogFrame, type PartitionFeed } from "./partitionFeed.ts";
import { createPatience } from "./patience.ts";
import type { Slots } from "./slots.ts";
import type { BatchVerdict, StreamHandler } from "./streamHandler.ts";
import type { PartitionOffset, StreamSource, TopicPartition } from "./streamSource.ts";

export interface RunnerLimits {
  readonly batchFramesMax: number;
  readonly batchBytesMax: number;
  /** Fetching of the partition pauses when so much waits, and goes on at half of it. */
  readonly queueBytesMax: number;
  /** A batch smaller than `lingerBytes` waits so long for more; 0 = not at all. */
  readonly lingerMs: number;
  readonly lingerBytes: number;
}

/** What a runner needs from the consumer around it. */
export interface RunnerParts {
  readonly at: TopicPartition;
  readonly source: Pick<StreamSource, "pause" | "resume" | "seek">;
  readonly handler: StreamHandler;
  readonly slots: Slots;
  readonly limits: RunnerLimits;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Low and high watermark of the partition. @throws retriable errors. */
  readonly rangeOf: (at: TopicPartition) => Promise<LogRange>;
  /** Reads the log beside the group, to know it again. */
  readonly reader: Pick<LogReader, "frames">;
  readonly isRetriable: (error: unknown) => boolean;
  readonly onFatal: (error: unknown) => void;
  /** Ends when the runner before it on the same partition has. */
  readonly before: Promise<void>;
  /** See `BatchContext.signal`. */
  readonly signal: AbortSignal;
  readonly observer?: RunnerObserver | undefined;
}

/** Told what happens, for metrics. */
export interface RunnerObserver {
  batch?(batch: {
    readonly topic: string;
    readonly durationMs: number;
    readonly frames: number;
    readonly bytes: number;
  }): void;
  retry?(error: unknown): void;
}

/** What a log keeps: the first offset, and the one the next record will have. */
export interface LogRange {
  readonly low: number;
  readonly high: number;
}

export interface RunnerStatus extends PartitionOffset {
  readonly highWatermark: number;
  readonly queuedBytes: number;
}

/** A partition that is not read because its log is not the one that was read before. */
export interface HeldPartition extends TopicPartition {
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
}

/** One partition during one assignment. */
export interface PartitionRunner {
  offer(batch: FetchedBatch): void;
  /** Ends it after the batch that runs. */
  retire(): void;
  readonly done: Promise<void>;
  /** Undefined until the handler said where to begin. */
  status(): RunnerStatus | undefined;
  /** Undefined while the log is the one that was read. */
  held(): HeldPartition | undefined;
  /**
   * Compares the position with a range that was asked for when the position was `positionBefore`, and what was dealt with last with
   * the log. Seen outside twice in a row the partition is held: without this a consumer whose log was cut would wait for records
   * that never come.
   */
  look(range: LogRange, positionBefore: number): void;
  /** Since when the handler has been silent, monotonic; undefined while it is not at work. */
  silentSinceMs(): number | undefined;
}

/** A seek may take hold one fetch late; so many misfits in a row mean the offset may not be there any more. */
const MISFITS_CHECK = 5;
const MISFITS_MAX = 50;
const RANGE_LOOKS = 3;
const LOOKS_OUTSIDE_MAX = 2;
const RANGE_LOOK_AGAIN_MS = 1_000;
/** How often a held partition is looked at: whether somebody made a way on. */
const HELD_LOOK_MS = 2_000;

/** Works a partition off: one batch at a time, in order, from where the handler says the truth stands. */
export function createPartitionRunner(parts: RunnerParts): PartitionRunner {
  const { at, source, handler, limits, logger, clock, observer, onFatal } = parts;
  const name = `${at.topic}/${at.partition}`;
  const patience = createPatience({ name, logger, isRetriable: parts.isRetriable, onRetry: observer?.retry, onFatal });
  let feed: PartitionFeed | undefined;
  let isPaused = true;
  let misfits = 0;
  let timesOutside = 0;
  let silentSinceMs: number | undefined;
  let hasLingered = false;
  let held: HeldPartition | undefined;
  /** Found beside the work: the work ends with it. */
  let mismatch: LogMismatch | undefined;
  const check = createLogCheck({
    at,
    reader: parts.reader,
    lowOf: async () => (await parts.rangeOf(at)).low,
    rest: (ms) => patience.rest(ms),
  });

  async function run(): Promise<void> {
    await parts.before;
    while (!patience.isEnded()) {
      try {
        await open();
        if (feed !== undefined) await work(feed);
        return;
      } catch (error) {
        if (!(error instanceof LogMismatch)) throw error;
        await hold(error.message);
      }
    }
  }

  async function open(): Promise<void> {
    const start = await persist(async () => handler.start({ ...at, ...(await parts.rangeOf(at)) }));
    if (start === undefined || !(await isInLog(start.fromOffset))) return;
    await persist(() => check.begin(start.mark));
    if (held !== undefined) await persist(async () => handler.held?.(at, undefined));
    if (patience.isEnded()) return;
    if (held !== undefined) logger.warn({ partition: name, offset: start.fromOffset }, "a held partition goes on");
    held = undefined;
    mismatch = undefined;
    feed = createPartitionFeed(start.fromOffset);
    source.seek({ ...at, offset: start.fromOffset });
    isPaused = false;
    source.resume(at);
  }

  /** As `patience.persist`, but a log that is another one ends it. @throws LogMismatch. */
  async function persist<Result>(attempt: () => Promise<Result>): Promise<Result | undefined> {
    const ended = await patience.persist(() =>
      attempt().then(
        (result) => ({ result }),
        (error: unknown) => {
          if (error instanceof LogMismatch) return error;
          throw error;
        },
      ),
    );
    if (ended instanceof LogMismatch) throw ended;
    return ended?.result;
  }

  /** Stops reading the partition, and only it: what the log holds now must not be taken for what comes next. */
  async function hold(reason: string): Promise<void> {
    feed = undefined;
    isPaused = true;
    source.pause(at);
    if (held === undefined)
      logger.error({ partition: name, reason }, "the log is not the one that was read: the partition is held");
    held = { ...at, reason, sinceMs: held?.sinceMs ?? clock.nowMs() };
    await persist(async () => handler.held?.(at, reason));
    await patience.rest(HELD_LOOK_MS);
  }

  async function work(current: PartitionFeed): Promise<void> {
    while (!patience.isEnded()) {
      const frames = await nextFrames(current);
      if (mismatch !== undefined) throw mismatch;
      if (frames.length === 0) continue;
      await persist(() => check.before(frames));
      const verdict = await persist(() => handle(current, frames));
      if (verdict === undefined || patience.isEnded()) return;
      if (verdict.kind === "next") check.after(frames, verdict.offset);
      if (verdict.kind === "seek") check.forget();
      await follow(current, verdict);
      resumeWhenEmptied(current);
    }
  }

  async function nextFrames(current: PartitionFeed): Promise<readonly LogFrame[]> {
    if (current.queuedBytes() === 0) {
      await patience.rest(Number.POSITIVE_INFINITY, "nudgeable");
    }
    if (limits.lingerMs > 0 && !hasLingered && current.queuedBytes() < limits.lingerBytes) {
      await patience.rest(limits.lingerMs);
    }
    hasLingered = true;
    return patience.isEnded() ? [] : current.peek(limits.batchFramesMax, limits.batchBytesMax);
  }

  async function handle(current: PartitionFeed, frames: readonly LogFrame[]): Promise<BatchVerdict> {
    const giveBack = await parts.slots.take();
    const startedMs = clock.monotonicMs();
    const heartbeat = () => {
      silentSinceMs = clock.monotonicMs();
    };
    try {
      heartbeat();
      const context = { heartbeat, isStale: patience.isEnded, signal: parts.signal };
      return await handler.batch({ ...at, frames, highWatermark: current.highWatermark() }, context);
    } finally {
      silentSinceMs = undefined;
      giveBack();
      const bytes = frames.reduce((sum, { value }) => sum + value.length, 0);
      observer?.batch?.({ topic: at.topic, durationMs: clock.monotonicMs() - startedMs, frames: frames.length, bytes });
    }
  }

  async function follow(current: PartitionFeed, verdict: BatchVerdict): Promise<void> {
    // What had to wait has waited for company long enough.
    hasLingered = verdict.kind === "wait";
    switch (verdict.kind) {
      case "next":
        current.advance(verdict.offset);
        return;
      case "seek":
        if (current.moveTo(verdict.offset).kind === "seek") source.seek({ ...at, offset: verdict.offset });
        return;
      case "wait":
        await patience.rest(verdict.ms);
        return;
    }
  }

  function resumeWhenEmptied(current: PartitionFeed): void {
    if (isPaused && !patience.isEnded() && current.queuedBytes() <= limits.queueBytesMax / 2) {
      isPaused = false;
      source.resume(at);
    }
  }

  /**
   * A broker that has just started may show less than it has, so what looks cut off is looked at again.
   * @throws LogMismatch.
   */
  async function isInLog(offset: number): Promise<boolean> {
    for (let look = 1; ; look += 1) {
      const range = await patience.persist(() => parts.rangeOf(at));
      if (range === undefined) return false;
      if (offset >= range.low && offset <= range.high) return true;
      if (look === RANGE_LOOKS) throw outsideOfLog(name, offset, range);
      await patience.rest(RANGE_LOOK_AGAIN_MS);
    }
  }

  async function refuse(seekTo: number): Promise<void> {
    misfits += 1;
    logger.debug({ partition: name, seekTo, misfits }, "a batch did not hold what comes next; fetching again");
    source.seek({ ...at, offset: seekTo });
    if (misfits % MISFITS_CHECK === 0 && (await isInLog(seekTo)) && misfits >= MISFITS_MAX) {
      onFatal(new Error(`${name}: offset ${seekTo} is not delivered though the log keeps it`));
    }
  }

  /** What is found beside the work ends it at its next good place. */
  function interrupt(error: unknown): void {
    if (error instanceof LogMismatch) {
      mismatch = error;
      patience.nudge();
    } else onFatal(error);
  }

  /** Asks the log itself. Kafka away is seen by the work, so it is no matter here. */
  async function verify(): Promise<void> {
    try {
      if (await check.look()) await handler.verified?.(at);
    } catch (error) {
      if (error instanceof LogMismatch) interrupt(error);
      else logger.debug({ err: error, partition: name }, "the log could not be looked at");
    }
  }

  return {
    done: run().catch(onFatal),
    offer(batch) {
      if (feed === undefined || patience.isEnded()) return;
      const offered = feed.offer(batch);
      if (offered.kind === "misfit") {
        refuse(offered.seekTo).catch(interrupt);
        return;
      }
      misfits = 0;
      if (!isPaused && feed.queuedBytes() >= limits.queueBytesMax) {
        isPaused = true;
        source.pause(at);
      }
      patience.nudge();
    },
    retire: patience.end,
    status() {
      if (feed === undefined) return undefined;
      return {
        ...at,
        offset: feed.position(),
        highWatermark: feed.highWatermark(),
        queuedBytes: feed.queuedBytes(),
      };
    },
    look(range, positionBefore) {
      if (feed === undefined || patience.isEnded()) return;
      feed.sawEnd(range.high);
      const isInside = positionBefore <= range.high && feed.position() >= range.low;
      timesOutside = isInside ? 0 : timesOutside + 1;
      if (timesOutside >= LOOKS_OUTSIDE_MAX) interrupt(outsideOfLog(name, feed.position(), range));
      else if (isInside) void verify();
    },
    held: () => held,
    silentSinceMs: () => silentSinceMs,
  };
}

function outsideOfLog(name: string, offset: number, range: LogRange): LogMismatch {
  return new LogMismatch(
    `${name}: the position ${offset} is outside of the log, which keeps ${range.low} to ${range.high}. ` +
      "The topic was made anew, the log was cut, or its retention passed before it was read.",
  );
}
