import { setTimeout as sleep } from "node:timers/promises";
import { GROUP_NAMES } from "@headwater/contracts";
import { type PartitionLag as Lag, readLags } from "@headwater/intake/lags/lags";
import { systemClock } from "@headwater/kernel";
import { readOffsets } from "@headwater/postgres/streams/streamOffsets";
import { createLogSamples } from "@headwater/topics";
import type { Connections } from "../connections.ts";
import type { Row } from "../output/formats.ts";
import { failedPart, type PartStatus } from "./parts.ts";

export async function checkTopics(connections: Connections): Promise<PartStatus[]> {
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
    return [failedPart("topics", error)];
  }
}

/** Distance of a group from the end of one partition, as `status` shows it. */
export interface GroupLag
  extends Row,
    Pick<Lag, "group" | "topic" | "partition" | "nextOffset" | "records" | "seconds"> {
  /** Reason why the group does not read the partition: its log is not the one that was read; null while it does. */
  readonly held: string | null;
}

/** Age of the next record from which a group that does not move is stuck. */
const STUCK_SECONDS = 30;
const MOVES_WITHIN_MS = 5_000;

/** One line a group and topic. @param isMoving tells whether a partition has moved since the lags were read. */
export function toGroupStatus(lags: readonly GroupLag[], isMoving: (lag: GroupLag) => boolean): PartStatus[] {
  const byStream = Map.groupBy(lags, ({ group, topic }) => `${group} <- ${topic}`);
  return [...byStream].map(([part, partitions]) => {
    const records = partitions.reduce((sum, lag) => sum + lag.records, 0);
    const seconds = Math.max(0, ...partitions.map((lag) => lag.seconds));
    const held = partitions.flatMap(({ partition, held: why }) => (why === null ? [] : [`${partition}: ${why}`]));
    const lag = { records, seconds: Math.round(seconds) };
    if (held.length > 0)
      return { part, state: "held", detail: `held at ${held.join("; ")} (headwater topics adopt)`, ...lag };
    const stuck = partitions.filter((one) => isLate(one) && !isMoving(one)).map(({ partition }) => partition);
    const detail = `${records} records and ${lag.seconds} s behind`;
    if (stuck.length > 0)
      return { part, state: "stuck", detail: `${detail}; partitions ${stuck.join(", ")} do not move`, ...lag };
    return { part, state: records === 0 ? "ok" : "behind", detail, ...lag };
  });
}

function isLate({ seconds }: Pick<GroupLag, "seconds">): boolean {
  return seconds >= STUCK_SECONDS;
}

/** Checks groups that are late a second time: one that works its backlog off moves within some seconds. */
export async function checkStreams(connections: Connections): Promise<PartStatus[]> {
  const lags = await readGroupLags(connections);
  if (!lags.some(isLate)) return toGroupStatus(lags, () => true);
  await sleep(MOVES_WITHIN_MS);
  const later = await connections.withPostgres((postgres) => readOffsets(postgres, GROUP_NAMES));
  return toGroupStatus(lags, (lag) => later.some((row) => isSame(row, lag) && row.nextOffset !== lag.nextOffset));
}

type Partition = Pick<GroupLag, "group" | "topic" | "partition">;

function isSame(a: Partition, b: Partition): boolean {
  return a.group === b.group && a.topic === b.topic && a.partition === b.partition;
}

export async function readGroupLags(connections: Connections): Promise<GroupLag[]> {
  return connections.withPostgres((postgres) =>
    connections.withTopics((topics) =>
      connections.withLog(async (log) => {
        const highWatermarks = (topic: string) => topics.watermarks(topic);
        const ports = { postgres, highWatermarks, sampleLog: createLogSamples(log), clock: systemClock };
        const lags = await readLags(ports);
        const offsets = await readOffsets(postgres, GROUP_NAMES);
        return lags.map((lag) => ({ ...lag, held: offsets.find((row) => isSame(row, lag))?.heldWhy ?? null }));
      }),
    ),
  );
}
