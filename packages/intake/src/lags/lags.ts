import { GROUP_NAMES, INTAKE_TOPICS, topology } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { type OpenOffset, readOffsets } from "@headwater/postgres/streams/streamOffsets";
import { type Behind, readBehind } from "../accounting/accounting.ts";

/** Distance of a group from the end of one partition. */
export interface PartitionLag {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** First offset that the group has not read. */
  readonly nextOffset: number;
  /** Records of intake topics; messages of change topics, each of which holds what one batch changed. */
  readonly records: number;
  /** Seconds that the next record has been in the log; 0 at its end. */
  readonly seconds: number;
}

/** The next frames of a partition, or as many of them as are read at a time. */
export interface LogSample {
  /** Append time of the first one, milliseconds since 1970. */
  readonly firstMs: number;
  readonly frames: number;
  readonly records: number;
}

/** Reads the log itself, where nobody has counted it. @returns undefined where it cannot be read, or holds nothing. */
export type SampleLog = (at: {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}) => Promise<LogSample | undefined>;

export interface LagPorts {
  readonly postgres: Postgres;
  readonly highWatermarks: (
    topic: string,
  ) => Promise<readonly { readonly partition: number; readonly low?: number; readonly high: number }[]>;
  readonly sampleLog: SampleLog;
  readonly clock: Clock;
}

const TOPICS: readonly string[] = [...new Set(topology.flatMap(({ reads }) => [...reads]))];
/** Their records are counted, those of change topics are not. */
const COUNTED_TOPICS: ReadonlySet<string> = new Set(INTAKE_TOPICS);

/**
 * Every group's stored offsets against the ends of its topics. Records and times between them are those that `accounting` counted; where it
 * has not come to what is next, because it is behind or away, the log itself is read. So both are true when nobody reads, and the first record
 * after a quiet night has the age that it has.
 * @throws HeadwaterError 503 with Kafka or Postgres away.
 */
export async function readLags({ postgres, highWatermarks, sampleLog, clock }: LagPorts): Promise<PartitionLag[]> {
  // Offsets first: ends that are read later can only be further on.
  const offsets = await readOffsets(postgres, GROUP_NAMES);
  const ends = new Map(await Promise.all(TOPICS.map(async (topic) => [topic, await highWatermarks(topic)] as const)));
  const positions = topology.flatMap(({ group, reads }) =>
    reads.flatMap((topic) => (ends.get(topic) ?? []).map((end) => toPosition(group, { topic, ...end }, offsets))),
  );
  const behind = positions.filter(({ nextOffset, high, topic }) => nextOffset < high && COUNTED_TOPICS.has(topic));
  const counted = new Map((await readBehind(postgres, behind)).map((row, index) => [behind[index], row]));
  const nowMs = clock.nowMs();
  return Promise.all(
    positions.map(async (position) => {
      const { group, topic, partition, nextOffset, high } = position;
      const known = counted.get(position);
      const isCounted = firstUnread(known, nextOffset) !== undefined;
      const sample =
        nextOffset >= high || isCounted ? undefined : await sampleLog({ topic, partition, offset: nextOffset });
      return { group, topic, partition, nextOffset, ...lagOf(position, { counted: known, sample, nowMs }) };
    }),
  );
}

interface Position {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: number;
  /** Append time of what was read last; 0 for nothing. */
  readonly greatestTime: number;
  readonly high: number;
  /** Time since which nothing is read because the log is not the one that was read; undefined while it is read. */
  readonly heldSinceMs: number | undefined;
}

interface End {
  readonly topic: string;
  readonly partition: number;
  readonly low?: number;
  readonly high: number;
}

/** An offset of a held partition is of another log: of the present one nothing is read. */
function toPosition(group: string, { topic, partition, low = 0, high }: End, offsets: readonly OpenOffset[]): Position {
  const row = offsets.find((each) => each.group === group && each.topic === topic && each.partition === partition);
  const isHeld = row !== undefined && row.heldWhy !== null;
  const stored = Math.max(low, row?.nextOffset ?? low);
  return {
    ...{ group, topic, partition, high },
    nextOffset: isHeld && stored > high ? low : stored,
    greatestTime: row?.greatestTime ?? 0,
    heldSinceMs: isHeld ? row.seenAt : undefined,
  };
}

export interface LagFacts {
  readonly counted: Pick<Behind, "countedTo" | "records" | "head"> | undefined;
  readonly sample: LogSample | undefined;
  readonly nowMs: number;
}

/** Records and seconds from a position to the end of the log. */
export function lagOf(
  {
    nextOffset,
    greatestTime,
    high,
    heldSinceMs,
  }: Pick<Position, "nextOffset" | "greatestTime" | "high" | "heldSinceMs">,
  { counted, sample, nowMs }: LagFacts,
): Pick<PartitionLag, "records" | "seconds"> {
  const heldMs = heldSinceMs === undefined ? 0 : nowMs - heldSinceMs;
  if (nextOffset >= high) return { records: 0, seconds: Math.max(0, heldMs / 1_000) };
  const unread = unreadOf(counted, nextOffset);
  const isWithin = counted !== undefined && counted.head !== null && counted.head.firstOffset < nextOffset;
  const known = (counted?.records ?? 0) + (isWithin ? recordsIn(unread) : 0);
  const uncounted = Math.max(0, high - Math.max(nextOffset, counted?.countedTo ?? 0));
  const sinceMs = firstUnread(counted, nextOffset) ?? sample?.firstMs ?? greatestTime;
  return {
    records: Math.round(known + uncounted * recordsOfFrame(unread, sample)),
    seconds: Math.max(0, heldMs, sinceMs === 0 ? 0 : nowMs - sinceMs) / 1_000,
  };
}

type Frames = NonNullable<Behind["head"]>["frames"];

function unreadOf(counted: LagFacts["counted"], nextOffset: number): Frames {
  const head = counted?.head ?? { firstOffset: 0, baseTime: 0, frames: [] };
  return head.frames.filter(([offset]) => head.firstOffset + offset >= nextOffset);
}

/** Returns when the next frame was appended, where it is counted. */
function firstUnread(counted: LagFacts["counted"], nextOffset: number): number | undefined {
  const [first] = unreadOf(counted, nextOffset);
  return first === undefined || counted === undefined || counted.head === null
    ? undefined
    : counted.head.baseTime + first[1];
}

/** Frames that nobody has counted hold as many records as those next to them. */
function recordsOfFrame(unread: Frames, sample: LogSample | undefined): number {
  if (unread.length > 0) return recordsIn(unread) / unread.length;
  return sample === undefined || sample.frames === 0 ? 1 : sample.records / sample.frames;
}

function recordsIn(frames: Frames): number {
  return frames.reduce((sum, [, , counts]) => sum + counts.reduce((inFrame, [, records]) => inFrame + records, 0), 0);
}
