import { setTimeout as sleep } from "node:timers/promises";
import { ACTIVITIES_GROUP, INTAKE_TOPICS, STATE_GROUP } from "@headwater/contracts";
import { HeadwaterError, withTimeout } from "@headwater/kernel";
import type { OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import type { Freshness, HighWatermarks, RoutePorts } from "../ports.ts";
import { historyUpTo, isHeld } from "./consistencyOf.ts";
import type { IsConsistent } from "./waits.ts";

const WATERMARKS_TIMEOUT_MS = 1_000;
/** A check is reused for this long: `asOf` may be that much older, and a screen full of counts needs one check. */
const CACHED_MS = 1_000;
/** Age from which a short wait for history, which is on its way, is worth it. */
const STALE_MS = 1_000;
const CHECKS_MAX = 16;
const CHECK_AGAIN_MS = 25;

/** Everything up to `readMs` is seen as soon as history is there. */
interface Goal {
  readonly readMs: number;
  readonly isReached: IsConsistent;
}

type FreshnessPorts = Pick<RoutePorts, "progress" | "streamLooks" | "highWatermarks" | "clock">;

/**
 * Compares the offsets of the groups with the ends of the topics and the outbox. A partition that is read to its end is
 * fresh as of the look, one that is behind as of the last record that was read; so a quiet stream is fresh and a stuck
 * one is not. With Kafka away the answer of the last look stands.
 */
export function createFreshness(ports: FreshnessPorts): Freshness {
  const { clock } = ports;
  let seenMs = 0;
  let checkedMs = Number.NEGATIVE_INFINITY;
  let goal: Goal | undefined;
  let running: Promise<number> | undefined;

  /** One goal stands until it is reached: under load each new one lies a little further on. */
  async function check(): Promise<void> {
    goal ??= await readGoal(ports);
    if (goal === undefined || !(await goal.isReached())) return;
    seenMs = Math.max(seenMs, goal.readMs);
    goal = undefined;
  }

  async function checkUntilFresh(): Promise<number> {
    const askedMs = clock.nowMs();
    for (let checks = 1; checks <= CHECKS_MAX; checks++) {
      await check();
      if (goal === undefined || askedMs - seenMs < STALE_MS) break;
      await sleep(CHECK_AGAIN_MS);
    }
    checkedMs = clock.monotonicMs();
    return seenMs;
  }

  return () => {
    if (clock.monotonicMs() - checkedMs < CACHED_MS) return Promise.resolve(seenMs);
    running ??= checkUntilFresh().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** @returns undefined with Kafka away. */
async function readGoal(ports: FreshnessPorts): Promise<Goal | undefined> {
  const nowMs = ports.clock.nowMs();
  const ends = await readEnds(ports.highWatermarks);
  if (ends === undefined) return undefined;
  const groups: readonly string[] = [STATE_GROUP, ACTIVITIES_GROUP];
  const offsets = await ports.progress.offsets();
  const readMs = Math.min(nowMs, ...groups.map((group) => readUpTo(group, { ends, offsets, nowMs })));
  const positions = offsets.filter(({ group }) => groups.includes(group)).map(({ outboxPosition }) => outboxPosition);
  return { readMs, isReached: historyUpTo(ports, Math.max(0, ...positions)) };
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
    const isAtEnd = !isHeld(row) && (row?.nextOffset ?? 0) >= high;
    return isAtEnd ? nowMs : (row?.greatestTime ?? 0);
  });
  return Math.min(nowMs, ...times);
}
