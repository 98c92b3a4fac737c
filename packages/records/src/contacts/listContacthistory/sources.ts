import { lanes, positionOfVersion, topicOfLane } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { type RecordPlace, readRefusedAt, readV2Writes } from "../../writing/writeOrigins.ts";

/** Author of a change. */
export interface Source {
  readonly kind: "record" | "v2" | "merge" | "split" | "redrive";
  readonly id: string;
}

/**
 * Reads the author of each version. A record of the log is named by its place; one that was refused or parked at that place wrote when it
 * came again, and is named by its id.
 */
export async function readSources(
  session: Session,
  account: number,
  versions: readonly string[],
): Promise<(version: string) => Source> {
  const isV2 = (version: string) => positionOfVersion(version).lane === lanes.v2;
  const [writes, refused] = await Promise.all([
    readV2Writes(session, account, versions.filter(isV2)),
    readRefusedAt(session, account, versions.flatMap(placeOf)),
  ]);
  const known = new Map<string, Source>([
    ...writes.map(({ version, kind, recordId: id }) => [version, { kind, id }] as const),
    ...refused.map(({ version, recordId: id }) => [version, { kind: "redrive", id }] as const),
  ]);
  return (version) => known.get(version) ?? { kind: isV2(version) ? "v2" : "record", id: textOf(version) };
}

function placeOf(version: string): RecordPlace[] {
  const { lane, ...place } = positionOfVersion(version);
  const topic = topicOfLane(lane);
  return topic === undefined ? [] : [{ topic, ...place }];
}

function textOf(version: string): string {
  const { lane, partition, offset, place } = positionOfVersion(version);
  return `${topicOfLane(lane) ?? "v2"}/${partition}/${offset}/${place}`;
}
