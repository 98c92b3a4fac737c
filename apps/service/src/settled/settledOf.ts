import type { Receipt } from "@headwater/contracts";
import type { OpenOffset, PublishedOffsets } from "@headwater/stores";
import type { ServicePorts } from "../ports.ts";
import { readPublished } from "./published.ts";
import { ACTIVITIES_GROUP, HISTORY_GROUP, isWriteOfV2, STATE_GROUP, topicOfLane } from "./streams.ts";

/** Which store a read is served by: the state in Postgres, or what ClickHouse has of it and of the activities. */
export type Store = "state" | "analytics";

/** Asked again and again until the answer is yes. */
export type Settled = () => Promise<boolean>;

/** Where it is looked up how far the work is. */
export type SettledPorts = Pick<ServicePorts, "postgres" | "progress">;

/**
 * Whether the work of a receipt is visible in the store. Rejected, skipped and parked records are settled.
 *
 * What has to be reached is fixed as soon as it is known: measured anew at each look it would move on under load, and
 * never be reached.
 */
export function settledOf(ports: SettledPorts, receipt: Receipt, store: Store): Settled {
  let history: Settled | undefined;
  return async () => {
    if (history !== undefined) return history();
    const groups = store === "state" ? [STATE_GROUP] : [STATE_GROUP, ACTIVITIES_GROUP];
    const offsets = await ports.progress.offsets();
    if (!groups.every((group) => isPassed(offsets, group, receipt))) return false;
    if (store === "state") return true;
    history = historyUpTo(ports, outboxPositionOf(offsets, receipt));
    return history();
  };
}

/** Whether everything the outbox held up to the position is published and stored. */
export function historyUpTo({ postgres, progress }: SettledPorts, position: number): Settled {
  let published: PublishedOffsets | undefined;
  return async () => {
    published ??= await readPublished(postgres, position);
    return published !== undefined && isStored(published, await progress.offsets());
  };
}

function isPassed(offsets: readonly OpenOffset[], group: string, { parts }: Receipt): boolean {
  return parts.every(({ lane, partition, lastOffset }) => {
    if (isWriteOfV2(lane)) return true;
    const row = rowOf(offsets, group, topicOfLane(lane), partition);
    return row !== undefined && row.nextOffset > lastOffset;
  });
}

function outboxPositionOf(offsets: readonly OpenOffset[], { parts }: Receipt): number {
  const positions = parts.map(({ lane, partition, lastOffset }) => {
    if (isWriteOfV2(lane)) return lastOffset;
    return rowOf(offsets, STATE_GROUP, topicOfLane(lane), partition)?.outboxPosition ?? 0;
  });
  return Math.max(0, ...positions);
}

function isStored(published: PublishedOffsets, stored: readonly OpenOffset[]): boolean {
  return Object.entries(published).every(([topic, partitions]) =>
    Object.entries(partitions).every(([partition, next]) => {
      const row = rowOf(stored, HISTORY_GROUP, topic, Number(partition));
      return topic === DEAD_LETTERS || (row?.nextOffset ?? 0) >= next;
    }),
  );
}

/** The outbox feeds it, and no group of ours reads it. */
const DEAD_LETTERS = "deadletters";

function rowOf(rows: readonly OpenOffset[], group: string, topic: string | undefined, partition: number) {
  return rows.find((row) => row.group === group && row.topic === topic && row.partition === partition);
}
