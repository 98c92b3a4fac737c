import {
  ACTIVITIES_GROUP,
  HISTORY_GROUP,
  PRODUCTS_GROUP,
  type Receipt,
  STATE_GROUP,
  topicOfStream,
  topicsReadBy,
} from "@headwater/contracts";
import type { PublishedOffsets } from "@headwater/postgres/outbox/outbox";
import { FIRST_GENERATION, type OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import type { RoutePorts } from "../ports.ts";
import { fateOf } from "./hasPassed.ts";
import { isWriteOfV2 } from "./streams.ts";
import type { IsConsistent } from "./waits.ts";

/**
 * Store that serves a read: the state in Postgres, activities in ClickHouse next to it, all that ClickHouse has of both, or products made of
 * orders and carts.
 */
export type Store = "state" | "activities" | "analytics" | "products";

/** Ports that show how far the work is. */
export type ConsistencyPorts = Pick<RoutePorts, "progress" | "streamLooks">;

/**
 * Returns a check whether the work of a receipt is visible in the store. Rejected, skipped and parked records count as visible. The target
 * is fixed as soon as it is known: measured again at each check it would move on under load, and never be reached. ClickHouse gets changes of
 * state and activities side by side, and they are waited for side by side.
 */
export function consistencyOf(ports: ConsistencyPorts, receipt: Receipt, store: Store): IsConsistent {
  let history: IsConsistent | undefined;
  return async () => {
    const offsets = await ports.progress.offsets();
    if (!isPassed(offsets, STATE_GROUP, receipt)) return false;
    if (store === "state") return true;
    if (store === "activities") return isPassed(offsets, ACTIVITIES_GROUP, receipt);
    const reader = store === "products" ? products : analytics;
    const isStored = history ?? readUpTo(ports, outboxPositionOf(offsets, receipt), reader);
    history = isStored;
    return (await isStored()) && (store === "products" || isPassed(offsets, ACTIVITIES_GROUP, receipt));
  };
}

/** Returns a check whether everything the outbox held up to the position is published and in ClickHouse. */
export function historyUpTo(ports: ConsistencyPorts, position: number): IsConsistent {
  return readUpTo(ports, position, analytics);
}

/** A group that reads change topics. */
interface Reader {
  readonly group: string;
  readonly topics: readonly string[];
}

const analytics: Reader = { group: HISTORY_GROUP, topics: topicsReadBy(HISTORY_GROUP) };
const products: Reader = { group: PRODUCTS_GROUP, topics: topicsReadBy(PRODUCTS_GROUP) };

/** Ends of the change topics that a wait is for, and the generations of the logs that they are offsets of. */
interface Target {
  readonly published: PublishedOffsets;
  readonly generations: string;
}

function readUpTo(
  { progress, streamLooks: streamChecks }: ConsistencyPorts,
  position: number,
  reader: Reader,
): IsConsistent {
  let target: Target | undefined;
  if (position === 0) return async () => true;
  return async () => {
    const stored = await progress.offsets();
    const generations = generationsOf(stored, reader);
    // Offsets of a log that another was adopted for mean nothing in that one, whose own are there as soon as it is adopted.
    if (target?.generations !== generations) {
      const published = await streamChecks.published(position);
      target = published && { published, generations };
    }
    return target !== undefined && isStored(target.published, await progress.offsets(), reader);
  };
}

function generationsOf(stored: readonly OpenOffset[], { group, topics }: Reader): string {
  return stored
    .filter((row) => row.group === group && topics.includes(row.topic))
    .filter(({ generation }) => generation > FIRST_GENERATION)
    .map(({ topic, partition, generation }) => `${topic}/${partition}/${generation}`)
    .join(" ");
}

function isPassed(offsets: readonly OpenOffset[], group: string, receipt: Receipt): boolean {
  return receipt.parts.every((part) => {
    if (isWriteOfV2(part.lane)) return true;
    return fateOf(rowOf(offsets, group, topicOfStream(part.lane), part.partition), part, receipt) !== "pending";
  });
}

function outboxPositionOf(offsets: readonly OpenOffset[], { parts }: Receipt): number {
  const positions = parts.map(({ lane: stream, partition, lastOffset }) => {
    if (isWriteOfV2(stream)) return lastOffset;
    return rowOf(offsets, STATE_GROUP, topicOfStream(stream), partition)?.outboxPosition ?? 0;
  });
  return Math.max(0, ...positions);
}

function isStored(published: PublishedOffsets, stored: readonly OpenOffset[], { group, topics }: Reader): boolean {
  return Object.entries(published)
    .filter(([topic]) => topics.includes(topic))
    .every(([topic, partitions]) =>
      Object.entries(partitions).every(([partition, next]) => {
        const row = rowOf(stored, group, topic, Number(partition));
        // A held partition has another log than the one that its offset is of.
        return !isHeld(row) && (row?.nextOffset ?? 0) >= next;
      }),
    );
}

function rowOf(rows: readonly OpenOffset[], group: string, topic: string | undefined, partition: number) {
  return rows.find((row) => row.group === group && row.topic === topic && row.partition === partition);
}

/** Returns whether a partition waits for an operator to adopt its log. */
export function isHeld(row: Pick<OpenOffset, "heldWhy"> | undefined): boolean {
  return row !== undefined && row.heldWhy !== null;
}
