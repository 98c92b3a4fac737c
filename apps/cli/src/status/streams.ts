import { GROUP_NAMES, topology } from "@headwater/contracts";
import { type OpenOffset, readOffsets } from "@headwater/stores/streams";
import { catalogue, type TopicAdmin, type Watermarks } from "@headwater/topics";
import type { Connections } from "../connections.ts";
import type { Row } from "../output/formats.ts";
import { look, type PartStatus } from "./parts.ts";

export async function lookAtTopics(connections: Connections): Promise<PartStatus[]> {
  try {
    const steps = await connections.withTopics((topics) => topics.plan());
    const open = steps.filter(({ kind }) => kind !== "same");
    const detail = open.map(({ topic, kind }) => `${topic}: ${kind}`).join(", ");
    return [
      open.length === 0
        ? { part: "topics", state: "ok", detail: `${steps.length} as in the catalogue` }
        : { part: "topics", state: "differs", detail: `${detail} (headwater topics plan)` },
    ];
  } catch (error) {
    return [await look("topics", () => Promise.reject(error))];
  }
}

/** Position of one group in one partition. */
export interface PartitionLag extends Row {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** First offset not read; null before the group began. */
  readonly nextOffset: number | null;
  readonly end: number;
  /** Frames not read. */
  readonly lag: number;
  /** Reason why the group does not read the partition: its log is not the one that was read; null while it does. */
  readonly held: string | null;
}

export interface StoredPlaces {
  readonly offsets: readonly Pick<OpenOffset, "group" | "topic" | "partition" | "nextOffset" | "heldWhy">[];
  readonly watermarks: ReadonlyMap<string, readonly Watermarks[]>;
}

/** Returns each group's lag by partition: the log's end against the offset stored with the group's results. */
export function toLags({ offsets, watermarks }: StoredPlaces): PartitionLag[] {
  return topology.flatMap(({ group, reads }) =>
    reads.flatMap((topic) =>
      inOrder(watermarks.get(topic)).map(({ partition, low, high }) => {
        const stored = offsets.find(
          (offset) => offset.group === group && offset.topic === topic && offset.partition === partition,
        );
        const nextOffset = stored?.nextOffset ?? null;
        return {
          group,
          topic,
          partition,
          nextOffset,
          end: high,
          lag: high - (nextOffset ?? low),
          held: stored?.heldWhy ?? null,
        };
      }),
    ),
  );
}

function inOrder(watermarks: readonly Watermarks[] = []): readonly Watermarks[] {
  return watermarks.toSorted((left, right) => left.partition - right.partition);
}

/** One line a group and topic. */
export function toGroupStatus(lags: readonly PartitionLag[]): PartStatus[] {
  const byStream = Map.groupBy(lags, ({ group, topic }) => `${group} <- ${topic}`);
  return [...byStream].map(([part, partitions]) => {
    const lag = partitions.reduce((sum, partition) => sum + partition.lag, 0);
    const begun = partitions.filter(({ nextOffset }) => nextOffset !== null).length;
    const detail = `${lag} frames behind; offsets stored for ${begun} of ${partitions.length} partitions`;
    const held = partitions.flatMap(({ partition, held: why }) => (why === null ? [] : [`${partition}: ${why}`]));
    if (held.length > 0)
      return { part, state: "held", detail: `held at ${held.join("; ")} (headwater topics adopt)`, lag };
    return { part, state: lag === 0 ? "ok" : "behind", detail, lag };
  });
}

export async function readLags(connections: Connections): Promise<PartitionLag[]> {
  const offsets = await connections.withPostgres((postgres) => readOffsets(postgres, GROUP_NAMES));
  const watermarks = await connections.withTopics(readWatermarks);
  return toLags({ offsets, watermarks });
}

async function readWatermarks(topics: TopicAdmin): Promise<ReadonlyMap<string, readonly Watermarks[]>> {
  const read = new Map<string, readonly Watermarks[]>();
  for (const { name } of catalogue) read.set(name, await topics.watermarks(name));
  return read;
}
