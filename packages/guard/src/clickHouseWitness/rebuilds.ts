import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { RebuildPhase, StreamKey } from "./storeFacts.ts";

/** A rebuild that was begun and not ended; `plan` and `progress` are JSON texts. */
export interface OpenRebuild {
  readonly epoch: number;
  readonly plan: string;
  readonly phase: RebuildPhase;
  readonly progress: string;
}

export interface NewRebuild {
  readonly plan: string;
  readonly reason: string;
  readonly by: string;
}

const COLUMNS = "epoch, plan, phase, progress";
const openStatement = { text: `SELECT ${COLUMNS} FROM clickhouse_rebuilds WHERE ended_at IS NULL` };
const beginStatement = {
  text: `INSERT INTO clickhouse_rebuilds (epoch, plan, reason, by) SELECT COALESCE(max(epoch), 0) + 1, $1, $2, $3
    FROM clickhouse_rebuilds RETURNING ${COLUMNS}`,
};
const moveStatement = {
  text: "UPDATE clickhouse_rebuilds SET phase = $2, progress = $3 WHERE epoch = $1 AND ended_at IS NULL",
};
const endStatement = {
  text: "UPDATE clickhouse_rebuilds SET ended_at = now(), result = $2 WHERE epoch = $1 AND ended_at IS NULL",
};
const restartStatement = {
  text: `UPDATE stream_offsets o SET next_offset = k.next_offset, marked_offset = 0, last_record_id = NULL, last_print = NULL, last_epoch = NULL,
      pending_to = NULL, pending_token = NULL, pending_attempt = NULL, pending_transform = NULL, pending_shared = false, updated_at = now()
    FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::bigint[]) AS k (grp, topic, generation, partition, next_offset)
    WHERE (o.grp, o.topic, o.generation, o.partition) = (k.grp, k.topic, k.generation, k.partition)`,
};
const historyStatement = {
  text: "UPDATE clickhouse_witness SET history_from = GREATEST(history_from, $1) WHERE id = 1",
};
const sinksStatement = {
  text: `SELECT grp AS "group", topic, generation, partition, next_offset AS "nextOffset", resolutions_from AS "resolutionsFrom",
    pending_token IS NOT NULL AS "isPending" FROM stream_offsets WHERE grp = ANY ($1::text[]) ORDER BY grp, topic, generation, partition`,
};

/** Progress of a sink that a rebuild moves back. */
export interface SinkOffset extends StreamKey {
  readonly nextOffset: number;
  /** First offset whose resolutions are stored. */
  readonly resolutionsFrom: number;
  readonly isPending: boolean;
}

export async function readOpenRebuild(session: Session): Promise<OpenRebuild | undefined> {
  const [open] = await session.query<OpenRebuild>(openStatement);
  return open;
}

/** @throws what `postgresFailure` calls `unique` when another one is open. */
export async function beginRebuild(session: Session, { plan, reason, by }: NewRebuild): Promise<OpenRebuild> {
  const [begun] = await session.query<OpenRebuild>(beginStatement, [plan, reason, by]);
  if (begun === undefined) throw new Error("an inserted row is answered");
  return begun;
}

/** @param progress JSON text. */
export async function moveRebuild(
  session: Session,
  epoch: number,
  { phase, progress }: Pick<OpenRebuild, "phase" | "progress">,
): Promise<void> {
  await session.execute(moveStatement, [epoch, phase, progress]);
}

/** @param result JSON text. */
export async function endRebuild(session: Session, epoch: number, result: string): Promise<void> {
  await session.execute(endStatement, [epoch, result]);
}

export function readSinkOffsets(session: Session, groups: readonly string[]): Promise<SinkOffset[]> {
  return session.query<SinkOffset>(sinksStatement, [textArray(groups, (group) => group)]);
}

/** Moves sinks to offsets from which they write again, whatever range they have claimed: nobody can finish it any more. */
export async function restartSinks(
  transaction: Transaction,
  starts: readonly (StreamKey & { readonly start: number })[],
): Promise<void> {
  await transaction.execute(restartStatement, [
    textArray(starts, ({ group }) => group),
    textArray(starts, ({ topic }) => topic),
    plainArray(starts, ({ generation }) => generation),
    plainArray(starts, ({ partition }) => partition),
    plainArray(starts, ({ start }) => start),
  ]);
}

/** Notes that nothing is known of the history before a time, in milliseconds since 1970. */
export async function beginHistoryAt(session: Session, at: number): Promise<void> {
  await session.execute(historyStatement, [at]);
}
