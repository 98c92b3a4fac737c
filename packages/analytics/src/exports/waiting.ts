import { ACTIVITIES_GROUP, type ExportWatermark, HISTORY_GROUP, STATE_GROUP } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { followStreamWatermark, type StreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { type OpenOffset, readOffsets } from "@headwater/postgres/streams/streamOffsets";

/** The group an export waits for, as the job shows it. */
export interface WaitsFor {
  readonly group: string;
  /** Frames of an intake topic, or messages of change events, that the group has not read. */
  readonly records: number;
  /** Age of the last one that it has. */
  readonly seconds: number;
}

/** Measures how far a group is behind offsets by `topic/generation/partition`; undefined when it is past them. */
async function behind(
  session: Session,
  group: string,
  { offsets, nowMs }: { readonly offsets: Readonly<Record<string, number>>; readonly nowMs: number },
): Promise<WaitsFor | undefined> {
  const rows = await readOffsets(session, [group]);
  const late = Object.entries(offsets).flatMap(([key, next]) => {
    const row = latestOf(rows, key);
    const missing = row === "passed" ? 0 : next - (row?.nextOffset ?? 0);
    return missing <= 0 || row === "passed" ? [] : [{ missing, seenMs: row?.greatestTime ?? 0 }];
  });
  if (late.length === 0) return undefined;
  const records = late.reduce((sum, { missing }) => sum + missing, 0);
  const seen = Math.min(...late.map(({ seenMs }) => (seenMs === 0 ? nowMs : seenMs)));
  return { group, records, seconds: secondsSince(seen, nowMs) };
}

/** A log that another was adopted for since is read to its end: nothing more comes from it. */
function latestOf(rows: readonly OpenOffset[], key: string): OpenOffset | "passed" | undefined {
  const [topic, generation, partition] = key.split("/");
  const row = rows.findLast((one) => one.topic === topic && String(one.partition) === partition);
  return row !== undefined && row.generation > Number(generation) ? "passed" : row;
}

/** Measures what `state` has not read of the log below the watermark. */
export function behindWatermark(session: Session, { offsets }: Pick<ExportWatermark, "offsets">, nowMs: number) {
  return behind(session, STATE_GROUP, { offsets, nowMs });
}

export type SinksCheck =
  | { readonly kind: "passed" }
  | { readonly kind: "waits"; readonly marks: StreamWatermark; readonly waitsFor: WaitsFor };

/** Returns whether ClickHouse has what was stored below the marks, and else which group it is that has not written it. */
export async function checkSinks(
  session: Session,
  before: StreamWatermark,
  { nowMs, sinceMs }: { readonly nowMs: number; readonly sinceMs: number },
): Promise<SinksCheck> {
  const marks = await followStreamWatermark(session, before);
  if (marks === "passed") return { kind: "passed" };
  const activities = await behind(session, ACTIVITIES_GROUP, { offsets: marks.state, nowMs });
  const seconds = secondsSince(sinceMs, nowMs);
  return { kind: "waits", marks, waitsFor: activities ?? { group: HISTORY_GROUP, records: 1, seconds } };
}

function secondsSince(ms: number, nowMs: number): number {
  return Math.max(0, Math.round((nowMs - ms) / 1_000));
}
