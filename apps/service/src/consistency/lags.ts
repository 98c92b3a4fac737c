import type { Clock } from "@headwater/kernel";
import { type Behind, type OpenOffset, type Postgres, readBehind, readOffsets } from "@headwater/stores";
import type { HighWatermarks } from "../ports.ts";
import {
  ACCOUNTING_GROUP,
  ACTIVITIES_GROUP,
  CHANGE_TOPICS,
  HISTORY_GROUP,
  INTAKE_TOPICS,
  PRODUCT_TOPICS,
  PRODUCTS_GROUP,
  STATE_GROUP,
} from "./streams.ts";

/** How far a group is behind the end of one partition. */
export interface PartitionLag {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** Of intake topics records, of change topics messages, which hold what one batch changed. */
  readonly records: number;
  /** How long what comes next has been in the log; 0 at its end. */
  readonly seconds: number;
}

export interface LagPorts {
  readonly postgres: Postgres;
  readonly highWatermarks: HighWatermarks;
  readonly clock: Clock;
}

const READERS = [
  { group: STATE_GROUP, topics: INTAKE_TOPICS },
  { group: ACTIVITIES_GROUP, topics: INTAKE_TOPICS },
  { group: ACCOUNTING_GROUP, topics: INTAKE_TOPICS },
  { group: HISTORY_GROUP, topics: CHANGE_TOPICS },
  { group: PRODUCTS_GROUP, topics: PRODUCT_TOPICS },
] as const;

/**
 * Every group's stored offsets against the ends of its topics. Records and times between them are those that `accounting`
 * counted; frames it has not come to yet are taken to hold as many records as those next to them.
 * @throws HeadwaterError 503 with Kafka or Postgres away.
 */
export async function readLags({ postgres, highWatermarks, clock }: LagPorts): Promise<PartitionLag[]> {
  const topics = [...INTAKE_TOPICS, ...CHANGE_TOPICS];
  // Offsets first: ends that are read later can only be further on.
  const offsets = await readOffsets(
    postgres,
    READERS.map(({ group }) => group),
  );
  const ends = new Map(await Promise.all(topics.map(async (topic) => [topic, await highWatermarks(topic)] as const)));
  const places = READERS.flatMap((reader) =>
    reader.topics.flatMap((topic) =>
      (ends.get(topic) ?? []).map((end) => toPlace(reader.group, { topic, ...end }, offsets)),
    ),
  );
  const behind = places.filter(({ nextOffset, high, topic }) => nextOffset < high && INTAKE_TOPICS.includes(topic));
  const counted = new Map((await readBehind(postgres, behind)).map((row, index) => [behind[index], row]));
  const nowMs = clock.nowMs();
  return places.map((place) => {
    const { group, topic, partition } = place;
    return { group, topic, partition, ...lagOf(place, counted.get(place), nowMs) };
  });
}

interface Place {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: number;
  /** Append time of what was read last; 0 for nothing. */
  readonly greatestTime: number;
  readonly high: number;
}

interface End {
  readonly topic: string;
  readonly partition: number;
  readonly low?: number;
  readonly high: number;
}

function toPlace(group: string, { topic, partition, low = 0, high }: End, offsets: readonly OpenOffset[]): Place {
  const row = offsets.find((each) => each.group === group && each.topic === topic && each.partition === partition);
  return { group, topic, partition, nextOffset: row?.nextOffset ?? low, greatestTime: row?.greatestTime ?? 0, high };
}

/** Records and seconds from a place to the end of the log. */
export function lagOf(
  { nextOffset, greatestTime, high }: Pick<Place, "nextOffset" | "greatestTime" | "high">,
  counted: Pick<Behind, "countedTo" | "records" | "head"> | undefined,
  nowMs: number,
): Pick<PartitionLag, "records" | "seconds"> {
  if (nextOffset >= high) return { records: 0, seconds: 0 };
  const head = counted?.head ?? { firstOffset: high, baseTime: 0, frames: [] };
  const unread = head.frames.filter(([offset]) => head.firstOffset + offset >= nextOffset);
  const [first] = unread;
  const isWithin = head.firstOffset < nextOffset;
  const known = (counted?.records ?? 0) + (isWithin ? recordsIn(unread) : 0);
  const uncounted = Math.max(0, high - Math.max(nextOffset, counted?.countedTo ?? 0));
  const each = unread.length === 0 ? 1 : recordsIn(unread) / unread.length;
  const sinceMs = first === undefined ? greatestTime : head.baseTime + first[1];
  return {
    records: Math.round(known + uncounted * each),
    seconds: sinceMs === 0 ? 0 : Math.max(0, (nowMs - sinceMs) / 1_000),
  };
}

function recordsIn(frames: NonNullable<Behind["head"]>["frames"]): number {
  return frames.reduce((sum, [, , counts]) => sum + counts.reduce((inFrame, [, records]) => inFrame + records, 0), 0);
}
