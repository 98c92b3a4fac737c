import { type Clock, type Logger, withTimeout } from "@headwater/kernel";
import type { FetchedBatch } from "./partitionFeed.ts";
import type { OpenSource, StreamSource, TopicPartition } from "./streamSource.ts";

export type MembershipState = "stopped" | "joining" | "running" | "away";

export interface MembershipParts {
  readonly groupId: string;
  readonly openSource: OpenSource;
  readonly logger: Logger;
  readonly clock: Clock;
  /** A member that shows no sign of life for so long is made again. */
  readonly stallTimeoutMs: number;
  assigned(source: StreamSource, partitions: readonly TopicPartition[]): void;
  batch(at: TopicPartition, batch: FetchedBatch): void;
  /** The member is gone, and with it its partitions. */
  lost(): void;
}

/** Keeps one member in the group: kafkajs does not come back by itself from every failure, so it is made again. */
export interface Membership {
  /** Joins; ends after the first attempt. What fails is tried again for ever. */
  start(): Promise<void>;
  state(): MembershipState;
  source(): StreamSource | undefined;
  /** Checks whether the member still lives; to be called now and then. */
  check(): void;
  stop(): Promise<void>;
}

const REOPEN_MIN_MS = 200;
const REOPEN_MAX_MS = 5_000;
const CLOSE_TIMEOUT_MS = 5_000;

export function createMembership(parts: MembershipParts): Membership {
  return new ReopenedMembership(parts);
}

class ReopenedMembership implements Membership {
  readonly #clock: Clock;
  readonly #parts: MembershipParts;
  readonly #logger: Logger;
  readonly #groupId: string;
  #state: MembershipState = "stopped";
  #source: StreamSource | undefined;
  #failures = 0;
  #aliveMs = 0;
  #reopenTimer: NodeJS.Timeout | undefined;

  constructor(parts: MembershipParts) {
    const { groupId, logger, clock } = parts;
    this.#clock = clock;
    this.#parts = parts;
    this.#logger = logger;
    this.#groupId = groupId;
  }

  start(): Promise<void> {
    return this.#open();
  }

  state(): MembershipState {
    return this.#state;
  }

  source(): StreamSource | undefined {
    return this.#source;
  }

  check(): void {
    const silentMs = this.#clock.monotonicMs() - this.#aliveMs;
    if (this.#source !== undefined && silentMs > this.#parts.stallTimeoutMs) {
      this.#reopen(this.#source, new Error(`no sign of life for ${Math.floor(silentMs)} ms`));
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#reopenTimer);
    this.#state = "stopped";
    const closing = this.#source;
    this.#source = undefined;
    if (closing !== undefined) await this.#close(closing);
  }

  async #open(): Promise<void> {
    this.#state = "joining";
    this.#aliveMs = this.#clock.monotonicMs();
    const isCurrent = () => this.#source === opened;
    const opened: StreamSource = this.#parts.openSource({
      assigned: (partitions) => {
        if (!isCurrent()) return;
        this.#state = "running";
        this.#failures = 0;
        this.#parts.assigned(opened, partitions);
      },
      batch: (at, batch) => isCurrent() && this.#parts.batch(at, batch),
      alive: () => {
        if (isCurrent()) this.#aliveMs = this.#clock.monotonicMs();
      },
      crashed: (error) => this.#reopen(opened, error),
    });
    this.#source = opened;
    try {
      await opened.start();
    } catch (error) {
      this.#reopen(opened, error);
    }
  }

  #reopen(crashed: StreamSource, error: unknown): void {
    if (this.#source !== crashed) return;
    this.#source = undefined;
    this.#state = "away";
    this.#parts.lost();
    this.#failures += 1;
    const boundMs = Math.min(REOPEN_MAX_MS, REOPEN_MIN_MS * 2 ** Math.min(this.#failures - 1, 10));
    const waitMs = Math.floor(boundMs / 2 + (Math.random() * boundMs) / 2);
    this.#logger.warn(
      { err: error, group: this.#groupId, failures: this.#failures, waitMs },
      "consumer failed, recreating it",
    );
    void this.#close(crashed);
    this.#reopenTimer = setTimeout(() => void this.#open(), waitMs);
  }

  async #close(closing: StreamSource): Promise<void> {
    try {
      await withTimeout(() => closing.stop(), CLOSE_TIMEOUT_MS);
    } catch (error) {
      this.#logger.debug({ err: error, group: this.#groupId }, "error while closing the consumer");
    }
  }
}
