import { createLogCheck, type LogCheck } from "./logCheck.ts";
import { LogMismatch } from "./logMark.ts";
import { isInLog, outsideOfLog } from "./logRange.ts";
import { createPartitionFeed, type LogFrame, type PartitionFeed } from "./partitionFeed.ts";
import { createPatience, type Patience } from "./patience.ts";
import { persistOnLog } from "./persistOnLog.ts";
import type { HeldPartition, PartitionRunner, RunnerParts } from "./runnerApi.ts";
import type { BatchVerdict } from "./streamHandler.ts";

/** A seek may take hold one fetch late; so many misfits in a row mean the offset may not be there any more. */
const MISFITS_CHECK = 5;
const MISFITS_MAX = 50;
const LOOKS_OUTSIDE_MAX = 2;
/** Interval at which a held partition is looked at: whether somebody made a way on. */
const HELD_LOOK_MS = 2_000;

/** Works a partition off: one batch at a time, in order, from where the handler says the truth stands. */
export function createPartitionRunner(parts: RunnerParts): PartitionRunner {
  const { at, source, handler, limits, logger, clock, observer, onFatal } = parts;
  const name = `${at.topic}/${at.partition}`;
  const patience = createPatience({ name, logger, isRetriable: parts.isRetriable, onRetry: observer?.retry, onFatal });
  const persist = <Result>(attempt: () => Promise<Result>) => persistOnLog(patience, attempt);
  let feed: PartitionFeed | undefined;
  let isPaused = true;
  let misfits = 0;
  let timesOutside = 0;
  let silentSinceMs: number | undefined;
  let hasLingered = false;
  let held: HeldPartition | undefined;
  let mismatch: LogMismatch | undefined;
  const check = checkOf(parts, patience);

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
    if (start === undefined || !(await isInLog(parts, patience, start.fromOffset))) return;
    await persist(() => check.begin(start.mark));
    if (held !== undefined) await persist(async () => handler.held?.(at, undefined));
    if (patience.isEnded()) return;
    if (held !== undefined) logger.warn({ partition: name, offset: start.fromOffset }, "held partition resumed");
    held = undefined;
    mismatch = undefined;
    feed = createPartitionFeed(start.fromOffset);
    source.seek({ ...at, offset: start.fromOffset });
    isPaused = false;
    source.resume(at);
  }

  async function hold(reason: string): Promise<void> {
    // Stops this partition and no other: what the log holds now must not be taken for what comes next.
    feed = undefined;
    isPaused = true;
    source.pause(at);
    if (held === undefined)
      logger.error({ partition: name, reason }, "log truncated or recreated; holding the partition");
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

  async function refuse(seekTo: number): Promise<void> {
    misfits += 1;
    check.doubt();
    logger.debug({ partition: name, seekTo, misfits }, "fetched batch lacks the next offset, fetching again");
    source.seek({ ...at, offset: seekTo });
    if (misfits % MISFITS_CHECK === 0 && (await isInLog(parts, patience, seekTo)) && misfits >= MISFITS_MAX) {
      onFatal(new Error(`${name}: the broker does not deliver offset ${seekTo} although the log retains it`));
    }
  }

  function interrupt(error: unknown): void {
    // What is found beside the work ends it at its next good place.
    if (error instanceof LogMismatch) {
      mismatch = error;
      patience.nudge();
    } else onFatal(error);
  }

  async function verify(): Promise<void> {
    // Kafka away is seen by the work, so it is no matter here.
    try {
      if (await check.look()) await handler.verified?.(at);
    } catch (error) {
      if (error instanceof LogMismatch) interrupt(error);
      else logger.debug({ err: error, partition: name }, "fetching log offsets failed");
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
      if (timesOutside >= LOOKS_OUTSIDE_MAX) interrupt(outsideOfLog(at, feed.position(), range));
      else if (isInside) void verify();
    },
    held: () => held,
    silentSinceMs: () => silentSinceMs,
  };
}

function checkOf({ at, reader, rangeOf }: RunnerParts, { rest }: Patience): LogCheck {
  return createLogCheck({ at, reader, rest, lowOf: async () => (await rangeOf(at)).low });
}
