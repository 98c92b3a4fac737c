import type { ClickHouse } from "@headwater/clickhouse/clickhouse";

/** Work that ClickHouse did for one call. */
export interface QueryUsage {
  /** Processor time, user and system. */
  readonly cpuMs: number;
  readonly rows: number;
}

const statement = `SELECT sumIf(value, event IN ('UserTimeMicroseconds', 'SystemTimeMicroseconds')) / 1000 AS cpuMs,
  sumIf(value, event = 'SelectedRows') AS rows FROM system.events`;

/**
 * Measures the work that a call made ClickHouse do, by the counters of the server: they hold still while other processes are busy. What the
 * server does in the background counts too, so the tables have to rest.
 */
export async function withQueryUsage<Result>(
  clickhouse: ClickHouse,
  call: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly usage: QueryUsage }> {
  const before = await read(clickhouse);
  const result = await call();
  const after = await read(clickhouse);
  return { result, usage: { cpuMs: after.cpuMs - before.cpuMs, rows: after.rows - before.rows } };
}

async function read(clickhouse: ClickHouse): Promise<QueryUsage> {
  const [row] = await clickhouse.query<{ cpuMs: number | string; rows: number | string }>(statement);
  return { cpuMs: Number(row?.cpuMs ?? 0), rows: Number(row?.rows ?? 0) };
}
