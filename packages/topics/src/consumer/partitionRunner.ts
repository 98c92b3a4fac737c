import type { Clock, Logger } from "@headwater/kernel";
import { createLogCheck, type LogCheck } from "./logCheck.ts";
import { LogMismatch } from "./logMark.ts";
import { createPartitionFeed, type FetchedBatch, type LogFrame, type PartitionFeed } from "./partitionFeed.ts";
import { createPatience, type Patience } from "./patience.ts";
import type {
  HeldPartition,
  LogRange,
  PartitionRunner,
  RunnerLimits,
  RunnerObserver,
  RunnerParts,
  RunnerStatus,
} from "./runnerApi.ts";
import type { NextPosition, StreamHandler } from "./streamHandler.ts";
import type { TopicPartition } from "./streamSource.ts";

const CHECKS = 3;

const CHECK_AGAIN_MS = 1_000;

/** A seek may take hold one fetch late; so many misfits in a row mean the offset may not be there any more. */
const MISFITS_CHECK = 5;
const MISFITS_MAX = 50;
const CHECKS_OUTSIDE_MAX = 2;
/** A partition of which nothing came for so long may have become another log unseen: it is checked before what comes next. */
const QUIET_MS = 1_000;
/** Interval at which a held partition is checked: whether somebody made a way on. */
const HELD_CHECK_MS = 2_000;

/** Works a partition off: one batch at a time, in order, from where the handler says the truth stands. */
export function createPartitionRunner(parts: RunnerParts): PartitionRunner {
  return new OrderedRunner(parts);
}

class OrderedRunner implements PartitionRunner {
  readonly done: Promise<void>;
  readonly #limits: RunnerLimits;
  readonly #source: RunnerParts["source"];
  readonly #at: TopicPartition;
  readonly #parts: RunnerParts;
  readonly #handler: StreamHandler;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #observer: RunnerObserver | undefined;
  readonly #onFatal: (error: unknown) => void;
  readonly #name: string;
  readonly #patience: Patience;
  #feed: PartitionFeed | undefined;
  #generation: number | undefined;
  #isPaused = true;
  #misfits = 0;
  #timesOutside = 0;
  #offeredMs = Number.NEGATIVE_INFINITY;
  #silentSinceMs: number | undefined;
  /** The handler has these frames and waits for something else: they have had their turn. */
  #isWaiting = false;
  #held: HeldPartition | undefined;
  #mismatch: LogMismatch | undefined;
  readonly #check: LogCheck;

  constructor(parts: RunnerParts) {
    const { at, source, handler, limits, logger, clock, observer, onFatal } = parts;
    this.#limits = limits;
    this.#source = source;
    this.#at = at;
    this.#parts = parts;
    this.#handler = handler;
    this.#logger = logger;
    this.#clock = clock;
    this.#observer = observer;
    this.#onFatal = onFatal;
    this.#name = `${at.topic}/${at.partition}`;
    this.#patience = createPatience({
      name: this.#name,
      logger,
      isRetriable: parts.isRetriable,
      onRetry: observer?.retry,
      onFatal,
    });
    this.#check = checkOf(parts, this.#patience);
    this.done = this.#run().catch(onFatal);
  }

  offer(batch: FetchedBatch): void {
    if (this.#feed === undefined || this.#patience.isEnded()) return;
    const offered = this.#feed.offer(batch);
    if (offered.kind === "misfit") {
      this.#refuse(offered.seekTo).catch((error: unknown) => this.#interrupt(error));
      return;
    }
    this.#misfits = 0;
    // A log that is made again may hold as many frames again: those behind the position are not what comes next.
    const nowMs = this.#clock.monotonicMs();
    if (offered.hasBegunBelow || nowMs - this.#offeredMs > QUIET_MS) this.#check.doubt();
    this.#offeredMs = nowMs;
    if (!this.#isPaused && this.#feed.queuedBytes() >= this.#limits.queueBytesMax) {
      this.#isPaused = true;
      this.#source.pause(this.#at);
    }
    this.#patience.nudge();
  }

  retire(): void {
    this.#patience.end();
  }

  status(): RunnerStatus | undefined {
    if (this.#feed === undefined) return undefined;
    return {
      ...this.#at,
      generation: this.#generation,
      offset: this.#feed.position(),
      highWatermark: this.#feed.highWatermark(),
      queuedBytes: this.#feed.queuedBytes(),
    };
  }

  look(range: LogRange, positionBefore: number): void {
    if (this.#feed === undefined || this.#patience.isEnded()) return;
    this.#feed.sawEnd(range.high);
    const isInside = positionBefore <= range.high && this.#feed.position() >= range.low;
    this.#timesOutside = isInside ? 0 : this.#timesOutside + 1;
    if (this.#timesOutside >= CHECKS_OUTSIDE_MAX) this.#interrupt(outsideOfLog(this.#at, this.#feed.position(), range));
    else if (isInside) void this.#verify();
  }

  held(): HeldPartition | undefined {
    return this.#held;
  }

  silentSinceMs(): number | undefined {
    return this.#silentSinceMs;
  }

  #persist<Result>(attempt: () => Promise<Result>): Promise<Result | undefined> {
    return persistOnLog(this.#patience, attempt);
  }

  async #run(): Promise<void> {
    await this.#parts.before;
    while (!this.#patience.isEnded()) {
      try {
        await this.#open();
        if (this.#feed !== undefined) await this.#work(this.#feed);
        return;
      } catch (error) {
        if (!(error instanceof LogMismatch)) throw error;
        await this.#hold(error.message);
      }
    }
  }

  async #open(): Promise<void> {
    const start = await this.#persist(async () =>
      this.#handler.start({ ...this.#at, ...(await this.#parts.rangeOf(this.#at)) }),
    );
    if (start === undefined || !(await isInLog(this.#parts, this.#patience, start.fromOffset))) return;
    await this.#persist(() => this.#check.begin(start.mark));
    if (this.#held !== undefined) await this.#persist(async () => this.#handler.held?.(this.#at, undefined));
    if (this.#patience.isEnded()) return;
    if (this.#held !== undefined)
      this.#logger.warn({ partition: this.#name, offset: start.fromOffset }, "held partition resumed");
    this.#held = undefined;
    this.#mismatch = undefined;
    this.#generation = start.generation;
    this.#feed = createPartitionFeed(start.fromOffset);
    this.#source.seek({ ...this.#at, offset: start.fromOffset });
    this.#isPaused = false;
    this.#source.resume(this.#at);
  }

  async #hold(reason: string): Promise<void> {
    // Stops this partition and no other: what the log holds now must not be taken for what comes next.
    this.#feed = undefined;
    this.#isPaused = true;
    this.#source.pause(this.#at);
    if (this.#held === undefined)
      this.#logger.error({ partition: this.#name, reason }, "log truncated or recreated; holding the partition");
    this.#held = { ...this.#at, reason, sinceMs: this.#held?.sinceMs ?? this.#clock.nowMs() };
    await this.#persist(async () => this.#handler.held?.(this.#at, reason));
    await this.#patience.rest(HELD_CHECK_MS);
  }

  async #work(current: PartitionFeed): Promise<void> {
    while (!this.#patience.isEnded()) {
      const frames = await this.#nextFrames(current);
      if (this.#mismatch !== undefined) throw this.#mismatch;
      if (frames.length === 0) continue;
      await this.#persist(() => this.#check.before(frames));
      const startedMs = this.#clock.monotonicMs();
      const outcome = await this.#persist(() => this.#handle(current, frames));
      if (outcome === undefined || this.#patience.isEnded()) return;
      if (outcome.kind === "next") {
        this.#check.after(frames, outcome.offset);
        this.#parts.pace.took(this.#clock.monotonicMs() - startedMs);
      }
      if (outcome.kind === "seek") this.#check.forget();
      await this.#follow(current, outcome);
      this.#resumeWhenEmptied(current);
    }
  }

  async #nextFrames(current: PartitionFeed): Promise<readonly LogFrame[]> {
    if (current.queuedBytes() === 0) {
      await this.#patience.rest(Number.POSITIVE_INFINITY, "nudgeable");
    }
    if (!this.#isWaiting && current.queuedBytes() < this.#limits.lingerBytes) {
      await this.#parts.pace.turn((ms) => this.#patience.rest(ms));
    }
    return this.#patience.isEnded() ? [] : current.peek(this.#limits.batchFramesMax, this.#limits.batchBytesMax);
  }

  async #handle(current: PartitionFeed, frames: readonly LogFrame[]): Promise<NextPosition> {
    const giveBack = await this.#parts.slots.take();
    const startedMs = this.#clock.monotonicMs();
    const heartbeat = () => {
      this.#silentSinceMs = this.#clock.monotonicMs();
    };
    try {
      heartbeat();
      const context = { heartbeat, isStale: this.#patience.isEnded, signal: this.#parts.signal };
      return await this.#handler.batch({ ...this.#at, frames, highWatermark: current.highWatermark() }, context);
    } finally {
      this.#silentSinceMs = undefined;
      giveBack();
      const bytes = frames.reduce((sum, { value }) => sum + value.length, 0);
      this.#observer?.batch?.({
        topic: this.#at.topic,
        durationMs: this.#clock.monotonicMs() - startedMs,
        frames: frames.length,
        bytes,
      });
    }
  }

  async #follow(current: PartitionFeed, verdict: NextPosition): Promise<void> {
    this.#isWaiting = verdict.kind === "wait";
    switch (verdict.kind) {
      case "next":
        current.advance(verdict.offset);
        return;
      case "seek":
        if (current.moveTo(verdict.offset).kind === "seek") this.#source.seek({ ...this.#at, offset: verdict.offset });
        return;
      case "wait":
        await this.#patience.rest(verdict.ms);
        return;
    }
  }

  #resumeWhenEmptied(current: PartitionFeed): void {
    if (this.#isPaused && !this.#patience.isEnded() && current.queuedBytes() <= this.#limits.queueBytesMax / 2) {
      this.#isPaused = false;
      this.#source.resume(this.#at);
    }
  }

  async #refuse(seekTo: number): Promise<void> {
    this.#misfits += 1;
    this.#check.doubt();
    this.#logger.debug(
      { partition: this.#name, seekTo, misfits: this.#misfits },
      "fetched batch lacks the next offset, fetching again",
    );
    this.#source.seek({ ...this.#at, offset: seekTo });
    if (
      this.#misfits % MISFITS_CHECK === 0 &&
      (await isInLog(this.#parts, this.#patience, seekTo)) &&
      this.#misfits >= MISFITS_MAX
    ) {
      this.#onFatal(
        new Error(`${this.#name}: the broker does not deliver offset ${seekTo} although the log retains it`),
      );
    }
  }

  #interrupt(error: unknown): void {
    // What is found next to the work ends it at its next good position.
    if (error instanceof LogMismatch) {
      this.#mismatch = error;
      this.#patience.nudge();
    } else this.#onFatal(error);
  }

  async #verify(): Promise<void> {
    // Kafka away is seen by the work, so it is no matter here.
    try {
      if (await this.#check.look()) await this.#handler.verified?.(this.#at);
    } catch (error) {
      if (error instanceof LogMismatch) this.#interrupt(error);
      else this.#logger.debug({ err: error, partition: this.#name }, "fetching log offsets failed");
    }
  }
}

function checkOf({ at, reader, rangeOf }: RunnerParts, { rest }: Patience): LogCheck {
  return createLogCheck({ at, reader, rest, lowOf: async () => (await rangeOf(at)).low });
}

/** Persists as `patience.persist` does, but a log that is another one is no matter of patience. @throws LogMismatch. */
async function persistOnLog<Result>(patience: Patience, attempt: () => Promise<Result>): Promise<Result | undefined> {
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

/**
 * Returns whether the log keeps an offset, or begins to be written at it. A broker that has just started may show less than it has, so what
 * looks cut off is read again.
 * @returns false when the end came first. @throws LogMismatch when it does not.
 */
async function isInLog(parts: RunnerParts, patience: Patience, offset: number): Promise<boolean> {
  for (let check = 1; ; check += 1) {
    const range = await patience.persist(() => parts.rangeOf(parts.at));
    if (range === undefined) return false;
    if (offset >= range.low && offset <= range.high) return true;
    if (check === CHECKS) throw outsideOfLog(parts.at, offset, range);
    await patience.rest(CHECK_AGAIN_MS);
  }
}

function outsideOfLog({ topic, partition }: TopicPartition, offset: number, range: LogRange): LogMismatch {
  return new LogMismatch(
    `${topic}/${partition}: offset ${offset} is out of range; the log retains ${range.low} to ${range.high}. ` +
      "The topic was recreated, the log was truncated, or retention deleted records before they were read.",
  );
}
