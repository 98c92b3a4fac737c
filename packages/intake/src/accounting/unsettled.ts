import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";
import type { OffsetOf } from "./accounting.ts";

/** Records of one account in one partition that have no end yet. */
export interface Unsettled {
  readonly topic: string;
  readonly partition: number;
  readonly records: number;
}

/** A batch in which the position lies is counted frame by frame, a later one as a whole. */
const statement = {
  name: "log_batches_unsettled",
  text: `SELECT topic, partition, sum(records)::bigint AS records FROM (
      SELECT b.topic, b.partition, (CASE WHEN b.first_offset >= p.next_offset
          THEN (SELECT sum((c ->> 3)::bigint) FROM json_array_elements(b.counts) c WHERE (c ->> 0)::int = $1)
          ELSE (SELECT sum((c ->> 1)::bigint) FROM json_array_elements(b.frames) f, json_array_elements(f -> 2) c
            WHERE b.first_offset + (f ->> 0)::bigint >= p.next_offset AND (b.counts -> (c ->> 0)::int ->> 0)::int = $1)
        END) AS records
      FROM unnest($2::text[], $3::int[], $4::bigint[]) AS p (topic, partition, next_offset)
        JOIN log_batches b ON b.topic = p.topic AND b.partition = p.partition AND b.next_offset > p.next_offset
      UNION ALL
      SELECT topic, partition, count(*) FROM rejects WHERE account = $1 AND status = 'parked' GROUP BY topic, partition
    ) r WHERE records > 0 GROUP BY topic, partition`,
};

/**
 * Counts the account's records that the log is known to hold at or behind the positions, and those that are parked, by partition.
 * @param positions offsets up to which records have an outcome.
 */
export function readUnsettled(session: Session, account: number, positions: readonly OffsetOf[]): Promise<Unsettled[]> {
  const topics = textArray(positions, ({ topic }) => topic);
  const partitions = plainArray(positions, ({ partition }) => partition);
  return session.query(statement, [account, topics, partitions, plainArray(positions, ({ nextOffset }) => nextOffset)]);
}
