import type { TimeRange } from "@headwater/api/paging/timeRange";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { timeText } from "./activityQuery.ts";

/** Actions that a summary shows, the most frequent first. */
export const ACTIONS_MAX = 200;
/** Properties of an action that a summary shows. */
export const PROPERTIES_MAX = 100;
/** Activities of an action that are searched for properties. */
const SAMPLED_ROWS = 1_000;
/** The newest activities are sampled: those of the last days before the last one. */
const SAMPLED_MS = 7 * 86_400_000;
const TIMEOUT_MS = 30_000;

export interface SummaryRow {
  readonly action: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly first: number;
  readonly last: number;
}

export interface PropertyRow {
  readonly action: string;
  readonly name: string;
  readonly types: readonly string[];
}

interface Summarized {
  /** The account's number. */
  readonly account: number;
  readonly range: TimeRange;
  readonly signal: AbortSignal;
}

/** Repeats that are not folded yet count once. */
export function countByAction(clickHouse: ClickHouse, { account, range, signal }: Summarized): Promise<SummaryRow[]> {
  const bounds = [
    ...(range.from === undefined ? [] : ["time >= {from: DateTime64(3, 'UTC')}"]),
    ...(range.to === undefined ? [] : ["time < {to: DateTime64(3, 'UTC')}"]),
  ];
  const where = ["account = {account: UInt32}", ...bounds].join(" AND ");
  const sql = `SELECT toString(action) AS action, count() AS count, toUnixTimestamp64Milli(min(time)) AS first,
    toUnixTimestamp64Milli(max(time)) AS last FROM activities FINAL WHERE ${where}
    GROUP BY action ORDER BY count DESC, action LIMIT ${ACTIONS_MAX + 1}`;
  const params = {
    account,
    ...(range.from !== undefined && { from: timeText(range.from) }),
    ...(range.to !== undefined && { to: timeText(range.to) }),
  };
  return clickHouse.query<SummaryRow>(sql, params, { timeoutMs: TIMEOUT_MS, signal });
}

const TYPE = `multiIf(startsWith(raw, '"'), 'text', startsWith(raw, '['), 'array', startsWith(raw, '{'), 'object',
  raw IN ('true', 'false'), 'boolean', raw = 'null', 'null', 'number')`;

/**
 * Reads names and types of properties from a sample of each action: a thousand of its newest activities, which the order of the table finds without
 * reading the others.
 */
export async function readProperties(
  clickHouse: ClickHouse,
  rows: readonly SummaryRow[],
  { account, signal }: Omit<Summarized, "range">,
): Promise<PropertyRow[]> {
  if (rows.length === 0) return [];
  const samples = rows.map(
    (
      _,
      index,
    ) => `SELECT action, properties FROM activities WHERE account = {account: UInt32} AND action = {a${index}: String}
      AND time >= {t${index}: DateTime64(3, 'UTC')} AND time <= {u${index}: DateTime64(3, 'UTC')} LIMIT ${SAMPLED_ROWS}`,
  );
  const params = Object.fromEntries(
    rows.flatMap(({ action, last }, index) => [
      [`a${index}`, action],
      [`t${index}`, timeText(last - SAMPLED_MS)],
      [`u${index}`, timeText(last)],
    ]),
  );
  const sql = `SELECT toString(action) AS action, name, arraySort(groupUniqArray(${TYPE})) AS types FROM (
      SELECT action, tupleElement(pair, 1) AS name, tupleElement(pair, 2) AS raw FROM (
        SELECT action, arrayJoin(JSONExtractKeysAndValuesRaw(properties)) AS pair FROM (${samples.join(" UNION ALL ")})))
    GROUP BY action, name ORDER BY action, count() DESC, name LIMIT ${PROPERTIES_MAX} BY action`;
  return clickHouse.query<PropertyRow>(sql, { account, ...params }, { timeoutMs: TIMEOUT_MS, signal });
}
