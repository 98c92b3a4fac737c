import { plainArray, textArray } from "../connection/arrays.ts";
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
const deleteStatement = {
  name: "handover_delete",
  text: `DELETE FROM handover h USING unnest($1::text[], $2::int[], $3::int[], $4::bigint[]) AS e (topic, generation, partition, below)
    WHERE (h.topic, h.generation, h.partition) = (e.topic, e.generation, e.partition) AND h.next_offset <= e.below`,
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

/** Offset of a partition below which ClickHouse has everything. */
export interface ResolutionsEnd {
  readonly at: LogPartition;
  readonly below: number;
}

/** Deletes the batches that end at or before the offset of their partition. @returns how many. */
export function deleteResolutions(session: Session, ends: readonly ResolutionsEnd[]): Promise<number> {
  return session.execute(deleteStatement, [
    textArray(ends, ({ at }) => at.topic),
    plainArray(ends, ({ at }) => at.generation),
    plainArray(ends, ({ at }) => at.partition),
    plainArray(ends, ({ below }) => below),
  ]);
}

function values({ topic, generation, partition }: LogPartition) {
  return [topic, generation, partition];
}
