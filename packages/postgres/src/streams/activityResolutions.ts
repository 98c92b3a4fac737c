import { deletePieces } from "../connection/oldRows.ts";
import type { Session, Transaction } from "../connection/session.ts";

export interface LogPartition {
  readonly topic: string;
  readonly generation: number;
  readonly partition: number;
}

/** Decisions of `state` for the activities of one batch, in order, 8 bytes each. */
export interface ActivityResolutions {
  readonly firstOffset: number;
  /** One behind the last. */
  readonly nextOffset: number;
  readonly resolutions: Buffer;
}

const KEY = "topic = $1 AND generation = $2 AND partition = $3";
const insertStatement = {
  name: "handover_insert",
  text: `INSERT INTO handover AS h (topic, generation, partition, first_offset, next_offset, verdicts) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (topic, generation, partition, first_offset) DO UPDATE SET next_offset = EXCLUDED.next_offset, verdicts = EXCLUDED.verdicts
    WHERE EXCLUDED.next_offset > h.next_offset`,
};
const readStatement = {
  name: "handover_read",
  text: `SELECT first_offset AS "firstOffset", next_offset AS "nextOffset", verdicts AS resolutions FROM handover
    WHERE ${KEY} AND first_offset < $5 AND next_offset > $4 ORDER BY first_offset`,
};
/** Notes with the deletion from which offset on resolutions are left. Rows that ClickHouse has yet to be given stay, however old. */
const deleteStatement = {
  name: "handover_delete_old",
  text: `WITH old AS (
      SELECT h.ctid FROM handover h JOIN stream_offsets o
        ON (o.grp, o.topic, o.generation, o.partition) = ('activities', h.topic, h.generation, h.partition)
      WHERE h.created_at < to_timestamp($1::double precision / 1000) AND h.next_offset <= o.next_offset
      ORDER BY h.created_at LIMIT $2 FOR UPDATE OF h SKIP LOCKED),
    gone AS (DELETE FROM handover WHERE ctid = ANY (ARRAY(SELECT ctid FROM old)) RETURNING topic, generation, partition, next_offset),
    noted AS (UPDATE stream_offsets o SET resolutions_from = GREATEST(o.resolutions_from, g.next_offset)
      FROM (SELECT topic, generation, partition, max(next_offset) AS next_offset FROM gone GROUP BY topic, generation, partition) g
      WHERE (o.grp, o.topic, o.generation, o.partition) = ('activities', g.topic, g.generation, g.partition))
    SELECT count(*)::int AS rows FROM gone`,
};

export async function insertResolutions(
  transaction: Transaction,
  at: LogPartition,
  row: ActivityResolutions,
): Promise<void> {
  await transaction.execute(insertStatement, [...values(at), row.firstOffset, row.nextOffset, row.resolutions]);
}

/** Batches that overlap the offsets from `from` up to `to` (excluded), in order. */
export function readResolutions(
  session: Session,
  at: LogPartition,
  from: number,
  to: number,
): Promise<ActivityResolutions[]> {
  return session.query(readStatement, [...values(at), from, to]);
}

/** Deletes resolutions from before a time, in milliseconds since 1970, that ClickHouse has the rows of. @returns how many batches. */
export function deleteOldResolutions(session: Session, before: number): Promise<number> {
  return deletePieces(async (rowsMax) => {
    const [row] = await session.query<{ rows: number }>(deleteStatement, [before, rowsMax]);
    return row?.rows ?? 0;
  });
}

function values({ topic, generation, partition }: LogPartition) {
  return [topic, generation, partition];
}
