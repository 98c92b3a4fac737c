import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { readFromCurrentReplica } from "@headwater/clickhouse/currentReplica";
import { INTAKE_TOPICS, topicOfStream } from "@headwater/contracts";
import type { ActivitiesEnd } from "./evidence.ts";

/** A part is named `<partition>_<first block>_<last block>_<level>`; parts that are left out by their name are not opened. */
const endsStatement = `SELECT groupArray((lane, generation, partition, end)) AS ends FROM (
  SELECT lane, topic_generation AS generation, partition, max(log_offset) + 1 AS "end" FROM activities
  WHERE account > 0 AND toUInt64OrZero(splitByChar('_', _part)[3]) > {since: UInt64} GROUP BY lane, generation, partition)`;
const blockStatement = `SELECT max(max_block_number) AS block FROM system.parts
  WHERE database = currentDatabase() AND table = 'activities' AND active`;

/** A great table that was never checked is read whole once. */
const TIMEOUT_MS = 300_000;

/** Stream, generation, partition and end. */
type StreamEnd = readonly [number, number, number, number];

export interface ActivitiesSeen {
  readonly ends: readonly ActivitiesEnd[];
  /** All blocks up to this one were checked. */
  readonly block: number;
}

/**
 * Reads how far the activities of each partition reach, in parts with blocks after `since`. A table that was made again counts its
 * blocks from the beginning again and is read whole.
 */
export async function readActivitiesEnds(clickhouse: ClickHouse, since: number): Promise<ActivitiesSeen> {
  const { block } = await readFromCurrentReplica<{ block: number }>(clickhouse, {
    table: "activities",
    sql: blockStatement,
  });
  const { ends } = await readFromCurrentReplica<{ ends: readonly StreamEnd[] }>(clickhouse, {
    table: "activities",
    sql: endsStatement,
    params: { since: block < since ? 0 : since },
    timeoutMs: TIMEOUT_MS,
  });
  return { block, ends: ends.map(toEnd) };
}

function toEnd([stream, generation, partition, end]: StreamEnd): ActivitiesEnd {
  return { topic: topicOfStream(stream) ?? INTAKE_TOPICS[0], generation, partition, end };
}
