import { type Clock, HeadwaterError, withTimeout } from "@headwater/kernel";
import { type OpenOffset, type Postgres, readOffsets } from "@headwater/stores";
import type { HighWatermarks } from "../ports.ts";
import { isHistoryThere } from "./isSettled.ts";
import { ACTIVITIES_GROUP, INTAKE_TOPICS, STATE_GROUP } from "./streams.ts";

/** Up to which moment (milliseconds since 1970) ClickHouse has seen all that was accepted. */
export type Freshness = () => Promise<number>;

const WATERMARKS_TIMEOUT_MS = 1_000;
const KEPT_MS = 250;

/**
 * Compares the offsets of the groups with the ends of the topics and the outbox. A partition that is read to its end is
 * fresh as of the look, one that is behind as of the last record that was read; so a quiet stream is fresh and a stuck
 * one is not. With Kafka away the answer of the last look stands.
 */
export function createFreshness(ports: {
  readonly postgres: Postgres;
  readonly highWatermarks: HighWatermarks;
  readonly clock: Clock;
}): Freshness {
  const { clock } = ports;
  let seenMs = 0;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<number> | undefined;
  async function look(): Promise<number> {
    seenMs = Math.max(seenMs, await measure(ports, seenMs));
    lookedAtMs = clock.monotonicMs();
    return seenMs;
  }
  return () => {
    if (clock.monotonicMs() - lookedAtMs < KEPT_MS) return Promise.resolve(seenMs);
    running ??= look().finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function measure(
  { postgres, highWatermarks, clock }: Parameters<typeof createFreshness>[0],
  before: number,
): Promise<number> {
  const nowMs = clock.nowMs();
  const ends = await readEnds(highWatermarks);
  if (ends === undefined) return before;
  const offsets = await readOffsets(postgres, [STATE_GROUP, ACTIVITIES_GROUP]);
  const read = Math.min(
    nowMs,
    ...[STATE_GROUP, ACTIVITIES_GROUP].map((group) => readUpTo(group, { ends, offsets, nowMs })),
  );
  const positions = offsets.map(({ outboxPosition }) => outboxPosition);
  return (await isHistoryThere(postgres, Math.max(0, ...positions))) ? read : Math.min(before, read);
}

interface End {
  readonly topic: string;
  readonly partition: number;
  readonly high: number;
}

async function readEnds(highWatermarks: HighWatermarks): Promise<readonly End[] | undefined> {
  const ask = async (topic: string) => (await highWatermarks(topic)).map((end) => ({ topic, ...end }));
  try {
    const all = await withTimeout(() => Promise.all(INTAKE_TOPICS.map(ask)), WATERMARKS_TIMEOUT_MS);
    return all.flat();
  } catch (error) {
    // Kafka away is no reason not to answer: the caller sees by `asOf` that nothing newer is known.
    if (error instanceof HeadwaterError && error.retriable) return undefined;
    throw error;
  }
}

function readUpTo(
  group: string,
  { ends, offsets, nowMs }: { ends: readonly End[]; offsets: readonly OpenOffset[]; nowMs: number },
): number {
  const times = ends.map(({ topic, partition, high }) => {
    const row = offsets.find(
      (entry) => entry.group === group && entry.topic === topic && entry.partition === partition,
    );
    return (row?.nextOffset ?? 0) >= high ? nowMs : (row?.greatestTime ?? 0);
  });
  return Math.min(nowMs, ...times);
}
