import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { AccountingKey, FrameCount } from "../accounting/accounting.ts";
import type { Adoption } from "./adoption.ts";

/** Records of one account, operation and hour that the log had and lost. */
export interface LostCount extends AccountingKey {
  readonly records: number;
}

interface CountedLine extends AccountingKey {
  /** Records in the log, copies left out. */
  readonly accepted: number;
  /** Counts records with an outcome, and those that an earlier adoption counted as lost. */
  readonly settled: number;
}

const HOUR_MS = 3_600_000;
const linesStatement = {
  name: "adopt_lines",
  text: `SELECT account, hour, operation, sum(accepted)::bigint AS accepted, sum(settled)::bigint AS settled FROM (
      SELECT account, hour, operation, records AS accepted, 0 AS settled FROM log_counts WHERE topic = $1 AND partition = $2
      UNION ALL SELECT account, hour, operation, -copies, applied + skipped FROM outcome_counts WHERE topic = $1 AND partition = $2
      UNION ALL SELECT account, hour, operation, 0, records FROM lost_counts WHERE topic = $1 AND partition = $2
      UNION ALL SELECT account, (received_at / ${HOUR_MS})::int, operation, 0, count(*) FROM rejects
        WHERE topic = $1 AND partition = $2 AND (quarantined_by IS NULL OR quarantined_by = 'activities') AND status IN ('parked', 'open', 'redriven', 'discarded') GROUP BY 1, 2, 3
    ) c GROUP BY account, hour, operation ORDER BY account, hour, operation`,
};
const batchesStatement = {
  name: "adopt_batches",
  text: `SELECT first_offset AS "firstOffset", counts, frames FROM log_batches WHERE topic = $1 AND partition = $2 AND next_offset > $3`,
};
const addCountedStatement = {
  name: "adopt_counted",
  text: `INSERT INTO log_counts AS c (account, hour, operation, topic, partition, records)
    SELECT account, hour, operation, $1, $2, records FROM unnest($3::int[], $4::int[], $5::text[], $6::bigint[])
      AS r (account, hour, operation, records)
    ON CONFLICT (account, hour, operation, topic, partition) DO UPDATE SET records = c.records + EXCLUDED.records`,
};
const addLostStatement = {
  name: "adopt_lost",
  text: addCountedStatement.text.replace("INSERT INTO log_counts", "INSERT INTO lost_counts"),
};
const deleteBatchesStatement = {
  name: "adopt_batches_drop",
  text: "DELETE FROM log_batches WHERE topic = $1 AND partition = $2",
};

type Position = Pick<Adoption, "topic" | "partition" | "kind" | "firstOffset" | "groups">;

const keyOf = ({ account, hour, operation }: AccountingKey) => `${account} ${hour} ${operation}`;

/** Returns what adopting a partition would count as lost. Changes nothing. */
export async function readLost(session: Session, position: Position): Promise<readonly LostCount[]> {
  return (await compare(session, position)).flatMap(({ lost, ...key }) =>
    lost > 0 ? [{ ...key, records: lost }] : [],
  );
}

/** Lets the count of the log begin again where `state` goes on: what is before it is what has an outcome or is lost. @returns the lost ones. */
export async function moveCounts(transaction: Transaction, place: Position): Promise<readonly LostCount[]> {
  if (place.groups.every(({ group }) => group !== "accounting")) return [];
  const compared = await compare(transaction, place);
  const changed = compared
    .filter(({ change }) => change !== 0)
    .map(({ change, ...key }) => ({ ...key, records: change }));
  await transaction.execute(addCountedStatement, [place.topic, place.partition, ...columnsOf(changed)]);
  await transaction.execute(deleteBatchesStatement, [place.topic, place.partition]);
  return compared.flatMap(({ lost, change: _, ...key }) => (lost > 0 ? [{ ...key, records: lost }] : []));
}

export async function addLost(
  transaction: Transaction,
  { topic, partition }: Position,
  lost: readonly LostCount[],
): Promise<void> {
  if (lost.length > 0) await transaction.execute(addLostStatement, [topic, partition, ...columnsOf(lost)]);
}

function columnsOf(rows: readonly LostCount[]) {
  return [
    plainArray(rows, (row) => row.account),
    plainArray(rows, (row) => row.hour),
    textArray(rows, (row) => row.operation),
    plainArray(rows, (row) => row.records),
  ];
}

/** Returns by line how many records are lost, and by how much the count of the log is wrong once it goes on where `state` does. */
async function compare(session: Session, place: Position) {
  const { topic, partition } = place;
  const lines = await session.query<CountedLine>(linesStatement, [topic, partition]);
  const unread = await readUnread(session, place);
  return lines.map(({ accepted, settled: resolved, ...key }) => {
    const lost = Math.max(0, accepted - resolved - (unread.get(keyOf(key)) ?? 0));
    return { ...key, lost, change: resolved + lost - accepted };
  });
}

/** Records that were counted, wait for `state` and are still in the log: they will be counted again. */
async function readUnread(session: Session, place: Position): Promise<ReadonlyMap<string, number>> {
  const { topic, partition, kind, firstOffset, groups } = place;
  const state = groups.find(({ group }) => group === "state");
  const from = state?.to ?? firstOffset;
  const end = kind === "retention" ? Number.POSITIVE_INFINITY : firstOffset;
  const sums = new Map<string, number>();
  const rows = await session.query<{ firstOffset: number; counts: string; frames: string }>(batchesStatement, [
    topic,
    partition,
    from,
  ]);
  for (const row of rows) {
    const counts: readonly (readonly [number, number, string, number])[] = JSON.parse(row.counts);
    const frames: readonly FrameCount[] = JSON.parse(row.frames);
    for (const [offset, , inFrame] of frames) {
      if (row.firstOffset + offset < from || row.firstOffset + offset >= end) continue;
      for (const [index, records] of inFrame) {
        const [account = 0, hour = 0, operation = ""] = counts[index] ?? [];
        const key = keyOf({ account, hour, operation });
        sums.set(key, (sums.get(key) ?? 0) + records);
      }
    }
  }
  return sums;
}
