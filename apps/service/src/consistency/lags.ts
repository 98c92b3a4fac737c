import { GROUP_NAMES, INTAKE_TOPICS, topology } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import { type Behind, readBehind } from "@headwater/stores/accounting";
import type { Postgres } from "@headwater/stores/postgres";
import { type OpenOffset, readOffsets } from "@headwater/stores/streams";
import type { HighWatermarks } from "../ports.ts";

/** Distance of a group from the end of one partition. */
export interface PartitionLag {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** Records of intake topics; messages of change topics, each of which holds what one batch changed. */
  readonly records: number;
  /** Seconds that the next record has been in the log; 0 at its end. */
  readonly seconds: number;
}

export interface LagPorts {
  readonly postgres: Postgres;
  readonly highWatermarks: HighWatermarks;
  readonly clock: Clock;
}

const TOPICS: readonly string[] = [...new Set(topology.flatMap(({ reads }) => [...reads]))];
/** Their records are counted, those of change topics are not. */
const COUNTED_TOPICS: ReadonlySet<string> = new Set(INTAKE_TOPICS);

/**
 * Every group's stored offsets against the ends of its topics. Records and times between them are those that `accounting`
 * counted; frames it has not come to yet are taken to hold as many records as those next to them.
 * @throws HeadwaterError 503 with Kafka or Postgres away.
 */
export async function readLags({ postgres, highWatermarks, clock }: LagPorts): Promise<PartitionLag[]> {
  // Offsets first: ends that are read later can only be further on.
  const offsets = await readOffsets(postgres, GROUP_NAMES);
  const ends = new Map(await Promise.all(TOPICS.map(async (topic) => [topic, await highWatermarks(topic)] as const)));
  const places = topology.flatMap(({ group, reads }) =>
    reads.flatMap((topic) => (ends.get(topic) ?? []).map((end) => toPlace(group, { topic, ...end }, offsets))),
  );
  const behind = places.filter(({ nextOffset, high, topic }) => nextOffset < high && COUNTED_TOPICS.has(topic));
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
