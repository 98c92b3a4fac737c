import { createHash } from "node:crypto";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import {
  ACTIVITIES_GROUP,
  CHANGE_TOPICS,
  GROUP_NAMES,
  groupsThatWrite,
  INTAKE_TOPICS,
  topicsReadBy,
} from "@headwater/contracts";
import { readHeldStore } from "@headwater/guard/clickHouseWitness/heldStore";
import { readKnownStore } from "@headwater/guard/clickHouseWitness/knownStore";
import { readSinkOffsets, type SinkOffset } from "@headwater/guard/clickHouseWitness/rebuilds";
import { streamOf } from "@headwater/guard/clickHouseWitness/storeFacts";
import { readActivitiesEnds } from "@headwater/guard/consistency/activitiesEnds";
import type { Postgres } from "@headwater/postgres/connection/postgres";

/** First kept offset of each partition, by topic. */
export type FirstStored = ReadonlyMap<string, readonly { readonly partition: number; readonly low: number }[]>;

/** A stream that a sink writes again. */
export interface RebuiltStream {
  readonly group: string;
  readonly topic: string;
  readonly generation: number;
  readonly partition: number;
  /** Offset up to which ClickHouse holds the stream. */
  readonly held: number;
  /** Offset from which it is written again. */
  readonly start: number;
  /** Offset that it had reached before, and has to reach again. */
  readonly target: number;
}

export interface RebuildPlan {
  /** False when this ClickHouse holds nothing of ours that could be continued: it is emptied first. */
  readonly isCopy: boolean;
  readonly streams: readonly RebuiltStream[];
  /** True when ClickHouse holds the identity of another installation, or of this one before a recovery: nothing of it may be deleted. */
  readonly isForeign: boolean;
  /** True when the log does not reach back to what ClickHouse holds: the present state comes from Postgres, and history has a hole. */
  readonly emitsState: boolean;
}

export interface PlanPorts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly firstKept: FirstStored;
}

const SINKS = groupsThatWrite("clickhouse", [...INTAKE_TOPICS, ...CHANGE_TOPICS]);
const FIRST_GENERATION = 1;

/** Topics that are read again. */
export const REPLAYED_TOPICS = [...new Set(GROUP_NAMES.filter((group) => SINKS.includes(group)).flatMap(topicsReadBy))];

export async function planRebuild({ postgres, clickhouse, firstKept: firstStored }: PlanPorts): Promise<RebuildPlan> {
  const known = await readKnownStore(postgres);
  const held = await readHeldStore(clickhouse, known.identity ?? "");
  const isCopy = known.identity !== undefined && held?.identities.includes(known.identity) === true;
  const ends = isCopy ? (await readActivitiesEnds(clickhouse, 0)).ends : [];
  const heldOf = (offset: SinkOffset) => {
    if (!isCopy) return 0;
    const mark = held?.marks.get(streamOf(offset)) ?? 0;
    if (offset.group !== ACTIVITIES_GROUP) return mark;
    // A block is there as a whole or not at all: what lies below its last row is stored, marked or not.
    const end = ends.find((one) => isSame(one, offset))?.end ?? 0;
    return Math.max(mark, end);
  };
  const streams = (await readSinkOffsets(postgres, SINKS)).map((offset) => {
    const low = firstStored.get(offset.topic)?.find(({ partition }) => partition === offset.partition)?.low ?? 0;
    return toStream(offset, { held: heldOf(offset), low });
  });
  const isForeign = !isCopy && held !== undefined && held.identities.length > 0;
  return { isCopy, isForeign, streams, emitsState: streams.some(isStateGone) };
}

function isSame(one: Omit<RebuiltStream, "group" | "held" | "start" | "target">, other: SinkOffset): boolean {
  return one.topic === other.topic && one.generation === other.generation && one.partition === other.partition;
}

/** Resolutions of activities are kept as long as the log; what was written before they were is gone like a frame of the log. */
function toStream(
  { group, topic, generation, partition, nextOffset: target, resolutionsFrom }: SinkOffset,
  { held, low }: { readonly held: number; readonly low: number },
): RebuiltStream {
  const readable = group === ACTIVITIES_GROUP ? Math.max(low, resolutionsFrom) : low;
  const start = Math.min(target, Math.max(held, readable));
  return { group, topic, generation, partition, held: Math.min(held, target), start, target };
}

/** Frames that neither ClickHouse nor the log holds. */
export function goneOf({ held, start }: RebuiltStream): number {
  return start - held;
}

/** Frames of a log that another one replaced are gone as well. */
function isStateGone(stream: RebuiltStream): boolean {
  if (stream.group === ACTIVITIES_GROUP) return false;
  return goneOf(stream) > 0 || (stream.held === 0 && stream.generation > FIRST_GENERATION);
}

/** Names a plan: what is confirmed is what was shown. Targets move while the installation runs. */
export function digestOf({ isCopy, streams, emitsState }: RebuildPlan): string {
  const view = streams.map(({ target: _, ...stream }) => stream);
  return createHash("sha256")
    .update(JSON.stringify({ isCopy, emitsState, shown: view }))
    .digest("hex")
    .slice(0, 16);
}
