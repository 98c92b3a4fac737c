import { plainArray } from "@headwater/postgres/connection/arrays";
import { deleteOlder } from "@headwater/postgres/connection/oldRows";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { keyValues, type OffsetKey } from "@headwater/postgres/streams/streamOffsets";

/** A place of the log that a group leaves out for ever. */
export interface QuarantinedPosition {
  readonly offset: number;
  /** Position of the record or change event in its message; -1 = the whole message. */
  readonly place: number;
}

const readStatement = {
  name: "quarantined_read",
  text: `SELECT log_offset AS "offset", place FROM quarantined
    WHERE grp = $1 AND topic = $2 AND generation = $3 AND partition = $4 AND log_offset >= $5 AND log_offset < $6`,
};
const insertStatement = {
  name: "quarantined_insert",
  text: `INSERT INTO quarantined (grp, topic, generation, partition, log_offset, place, quarantined_at)
    SELECT $1, $2, $3, $4, log_offset, place, $7 FROM unnest($5::bigint[], $6::int[]) AS q (log_offset, place)
    ON CONFLICT DO NOTHING RETURNING log_offset AS "offset", place`,
};
const aging = { table: "quarantined", column: "quarantined_at" };

/** Quarantined positions from `from` up to `to` (excluded). */
export function readQuarantined(
  session: Session,
  key: OffsetKey,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<QuarantinedPosition[]> {
  return session.query(readStatement, [...keyValues(key), from, to]);
}

/** @returns those that were not quarantined before. */
export async function insertQuarantined(
  transaction: Transaction,
  key: OffsetKey,
  { places: positions, at }: { readonly places: readonly QuarantinedPosition[]; readonly at: number },
): Promise<QuarantinedPosition[]> {
  if (positions.length === 0) return [];
  const offsets = plainArray(positions, ({ offset }) => offset);
  const values = [...keyValues(key), offsets, plainArray(positions, ({ place: position }) => position), at];
  return transaction.query<{ offset: number; place: number }>(insertStatement, values);
}

/** Deletes the positions of before then: the log has long forgotten them. @returns how many. */
export function deleteQuarantined(session: Session, before: number): Promise<number> {
  return deleteOlder(session, aging, before);
}
