import { createHash } from "node:crypto";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { ACTIVITIES_GROUP, type PublishedIntents, streamOfTopic } from "@headwater/contracts";
import { readActivitiesEnds } from "@headwater/guard/consistency/activitiesEnds";
import { type IntentMark, unknownIntents } from "@headwater/guard/consistency/intentMarks";
import { lossesSeenByLog } from "@headwater/guard/consistency/readEvidence";
import type { NumbersSeen, WithdrawnRange } from "@headwater/guard/consistency/storeRecoveries";
import { type ActivitiesBound, countActivities, readGreatestNumbers } from "@headwater/guard/consistency/withdraw";
import type { LostSend } from "@headwater/messaging/sends/endLostSends";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { type PublishedOffsets, readRelayProgress, unknownPositions } from "@headwater/postgres/outbox/outbox";
import { readOffsets } from "@headwater/postgres/streams/streamOffsets";
import type { LogWitness, PublishedMessageAt } from "@headwater/topics";
import { collectLost, type LostEvents } from "./lostChanges.ts";

export interface RecoveryPorts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly log: LogWitness;
}

/** All that a recovery does, found before anything of it is withdrawn. */
export interface RecoveryPlan extends LostEvents {
  readonly activities: readonly (ActivitiesBound & { readonly topic: string; readonly rows: number })[];
  /** Partitions of groups whose commit in Kafka is above the stored offset. */
  readonly commits: number;
  /** Lost messages of the change topics. */
  readonly events: number;
  readonly ranges: readonly WithdrawnRange[];
  readonly relayOffsets: PublishedOffsets;
  readonly numbers: NumbersSeen;
  /** Sends whose intents are lost; absent in plans of older versions. */
  readonly sends?: readonly LostSend[];
  readonly marks?: readonly Pick<IntentMark, "n" | "token">[];
}

const POSITIONS_AT_A_TIME = 5_000;

export async function createPlan({ postgres, clickhouse, log }: RecoveryPorts): Promise<RecoveryPlan> {
  const ends = await log.publishedEnds();
  const progress = await readRelayProgress(postgres);
  const ranges = ends.flatMap(({ topic, partition, low, end }) => {
    const from = Math.max(low, progress.offsets[topic]?.[partition] ?? 0);
    return from < end ? [{ topic, partition, from, to: end }] : [];
  });
  const published: PublishedMessageAt[] = [];
  await log.publishedMessages(ranges, (message) => published.push(message));
  const lostMessages = await keepUnknown(postgres, published);
  const events = collectLost(lostMessages);
  return {
    activities: await boundsOf(postgres, clickhouse),
    commits: (await lossesSeenByLog(postgres, log)).filter(({ kind }) => kind === "commits").length,
    events: lostMessages.length,
    ranges,
    relayOffsets: offsetsOf(progress.offsets, ends),
    numbers: greatest(await readGreatestNumbers(clickhouse), events, lostMessages),
    ...events,
    ...(await lostSends(postgres, log)),
  };
}

/** Reads back to where all intents are known. The last attempt of each send counts. */
async function lostSends(postgres: Postgres, log: LogWitness): Promise<Pick<RecoveryPlan, "sends" | "marks">> {
  const lost: PublishedIntents[] = [];
  await log.intents(async (intents) => {
    const unknown = await unknownIntents(postgres, intents);
    lost.push(...unknown);
    return unknown.length > 0;
  });
  lost.sort((a, b) => a.n - b.n);
  const sends = new Map<string, LostSend>();
  for (const { account, at, sends: own } of lost) {
    for (const one of own) {
      const name = `${account} ${one.message} ${one.contact} ${one.n}`;
      if ((sends.get(name)?.attempts ?? 0) < one.attempts) sends.set(name, { account, at, ...one });
    }
  }
  return { sends: [...sends.values()], marks: lost.map(({ n, token }) => ({ n, token })) };
}

/** Names a plan: what is confirmed is what was shown. */
export function digestOf(plan: RecoveryPlan): string {
  return createHash("sha256").update(JSON.stringify(plan)).digest("hex").slice(0, 16);
}

export function isNothing({ activities, commits, events, marks = [] }: RecoveryPlan): boolean {
  return activities.length === 0 && commits === 0 && events === 0 && marks.length === 0;
}

async function keepUnknown(
  postgres: Postgres,
  published: readonly PublishedMessageAt[],
): Promise<PublishedMessageAt[]> {
  const unknown: PublishedMessageAt[] = [];
  for (let from = 0; from < published.length; from += POSITIONS_AT_A_TIME) {
    unknown.push(...(await unknownPositions(postgres, published.slice(from, from + POSITIONS_AT_A_TIME))));
  }
  return unknown;
}

async function boundsOf(postgres: Postgres, clickhouse: ClickHouse): Promise<RecoveryPlan["activities"]> {
  const { ends } = await readActivitiesEnds(clickhouse, 0);
  const offsets = await readOffsets(postgres, [ACTIVITIES_GROUP]);
  const bounds: (ActivitiesBound & { topic: string; rows: number })[] = [];
  for (const { topic, generation, partition, end } of ends) {
    const row = offsets.find(
      (one) => one.topic === topic && one.generation === generation && one.partition === partition,
    );
    const isFormer = offsets.some(
      (one) => one.topic === topic && one.partition === partition && one.generation > generation,
    );
    const from = row?.pending?.to ?? row?.nextOffset ?? 0;
    if (isFormer || end <= from) continue;
    const bound = { lane: streamOfTopic(topic), generation, partition, from };
    bounds.push({ ...bound, topic, rows: await countActivities(clickhouse, bound) });
  }
  return bounds.sort((a, b) => a.lane - b.lane || a.partition - b.partition);
}

function offsetsOf(
  marked: PublishedOffsets,
  ends: readonly { readonly topic: string; readonly partition: number; readonly end: number }[],
): PublishedOffsets {
  const offsets: Record<string, Record<string, number>> = {};
  for (const [topic, partitions] of Object.entries(marked)) offsets[topic] = { ...partitions };
  for (const { topic, partition, end } of ends) {
    if (end > 0) offsets[topic] = { ...offsets[topic], [partition]: end };
  }
  return offsets;
}

function greatest(
  held: NumbersSeen,
  { lost }: LostEvents,
  messages: readonly { readonly position: number }[],
): NumbersSeen {
  const most = (first: number, more: Iterable<number>) => {
    let result = first;
    for (const one of more) result = Math.max(result, one);
    return result;
  };
  return {
    contact: most(
      held.contact,
      lost.contacts.map(({ number }) => number),
    ),
    revision: most(
      held.revision,
      messages.map(({ position }) => position),
    ),
    account: most(
      held.account,
      lost.contacts.map(({ account }) => account),
    ),
  };
}
