import type { World } from "../world/world.ts";

/** Work that is counted, not timed: it says the same on a busy machine. */
export interface WriteCounts {
  readonly inserts: number;
  readonly insertedRows: number;
  /** Rows that ClickHouse read to merge parts. */
  readonly mergedRows: number;
  /** Transactions of Postgres. */
  readonly commits: number;
}

const clickhouseStatement = `SELECT toFloat64(sumIf(value, event = 'InsertQuery')) AS inserts,
  toFloat64(sumIf(value, event = 'InsertedRows')) AS insertedRows, toFloat64(sumIf(value, event = 'MergedRows')) AS mergedRows FROM system.events`;
const postgresStatement = {
  text: "SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()",
};

/** Reads the counters of both stores; what others write there counts too. */
export async function readWriteCounts({ clickhouse, postgres }: World): Promise<WriteCounts> {
  const [events] = await clickhouse.query<Omit<WriteCounts, "commits">>(clickhouseStatement);
  const [database] = await postgres.query<{ commits: number }>(postgresStatement);
  if (events === undefined || database === undefined) throw new Error("the counters of the stores have a row");
  return { ...events, commits: database.commits };
}

/** Returns a sentence of what was counted between two readings. */
export function sentenceOfCounts(before: WriteCounts, after: WriteCounts, seconds: number): string {
  const perSecond = (count: number) => (count / seconds).toFixed(1);
  const rows = after.insertedRows - before.insertedRows;
  const merged = (after.mergedRows - before.mergedRows) / rows;
  const inserts = perSecond(after.inserts - before.inserts);
  const commits = perSecond(after.commits - before.commits);
  return `${inserts} inserts/s, ${merged.toFixed(1)} rows merged a row inserted, ${commits} commits/s`;
}
