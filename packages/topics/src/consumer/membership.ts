import { type Clock, type Logger, withTimeout } from "@headwater/kernel";
import type { FetchedBatch } from "./partitionFeed.ts";
import type { OpenSource, StreamSource, TopicPartition } from "./streamSource.ts";

export type MembershipState = "stopped" | "joining" | "running" | "away";

export interface MembershipParts {
  readonly groupId: string;
  readonly openSource: OpenSource;
  readonly logger: Logger;
  readonly clock: Clock;
  /** A member that shows no sign of life for so long is made anew. */
  readonly stallTimeoutMs: number;
  assigned(source: StreamSource, partitions: readonly TopicPartition[]): void;
  batch(at: TopicPartition, batch: FetchedBatch): void;
  /** The member is gone, and with it its partitions. */
  lost(): void;
}

/** Keeps one member in the group: kafkajs does not come back by itself from every failure, so it is made anew. */
export interface Membership {
  /** Joins; ends after the first attempt. What fails is tried again for ever. */
  start(): Promise<void>;
  state(): MembershipState;
  source(): StreamSource | undefined;
  /** Looks whether the member still lives; to be called now and then. */
  check(): void;
  stop(): Promise<void>;
}

const REOPEN_MIN_MS = 200;
const REOPEN_MAX_MS = 5_000;
const CLOSE_TIMEOUT_MS = 5_000;

export function createMembership(parts: MembershipParts): Membership {
  const { groupId, logger, clock } = parts;
  let state: MembershipState = "stopped";
  let source: StreamSource | undefined;
  let failures = 0;
  let aliveMs = 0;
  let reopenTimer: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    state = "joining";
    aliveMs = clock.monotonicMs();
    const isCurrent = () => source === opened;
    const opened: StreamSource = parts.openSource({
      assigned(partitions) {
        if (!isCurrent()) return;
        state = "running";
        failures = 0;
        parts.assigned(opened, partitions);
      },
      batch: (at, batch) => isCurrent() && parts.batch(at, batch),
      alive() {
        if (isCurrent()) aliveMs = clock.monotonicMs();
      },
      crashed: (error) => reopen(opened, error),
    });
    source = opened;
    try {
      await opened.start();
    } catch (error) {
      reopen(opened, error);
    }
  }

  function reopen(crashed: StreamSource, error: unknown): void {
    if (source !== crashed) return;
    source = undefined;
    state = "away";
    parts.lost();
    failures += 1;
    const boundMs = Math.min(REOPEN_MAX_MS, REOPEN_MIN_MS * 2 ** Math.min(failures - 1, 10));
    const waitMs = Math.floor(boundMs / 2 + (Math.random() * boundMs) / 2);
    logger.warn({ err: error, group: groupId, failures, waitMs }, "consumer failed, recreating it");
    void close(crashed);
    reopenTimer = setTimeout(() => void open(), waitMs);
  }

  async function close(closing: StreamSource): Promise<void> {
    try {
      await withTimeout(() => closing.stop(), CLOSE_TIMEOUT_MS);
    } catch (error) {
      logger.debug({ err: error, group: groupId }, "error while closing the consumer");
    }
  }

  return {
    start: open,
    state: () => state,
    source: () => source,
    check() {
      const silentMs = clock.monotonicMs() - aliveMs;
      if (source !== undefined && silentMs > parts.stallTimeoutMs) {
        reopen(source, new Error(`no sign of life for ${Math.floor(silentMs)} ms`));
      }
    },
    async stop() {
      clearTimeout(reopenTimer);
      state = "stopped";
      const closing = source;
      source = undefined;
      if (closing !== undefined) await close(closing);
    },
  };
}
