import { Readable } from "node:stream";
import type { ClickHouseBulk } from "@headwater/clickhouse/bulk";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { isMissingTable } from "@headwater/clickhouse/failures";
import { STAGING_PREFIX } from "@headwater/clickhouse/staging";
import { stagedType } from "./cells.ts";
import type { ExportColumn, StagedCell, StagedPart } from "./exportKind.ts";

/** A column's name in a staging table: callers' names never become those of columns. */
export function columnName(position: number): string {
  return `c${position}`;
}

export interface StagingOptions {
  readonly jobId: string;
  /** Distinguishes tables of one attempt at a job from those of another. */
  readonly attempt: string;
  readonly place: number;
  readonly columns: readonly ExportColumn[];
  readonly bulk: ClickHouseBulk;
  readonly clickhouse: ClickHouse;
  readonly signal: AbortSignal;
}

/** Sorts and groups go to the disk before they take the memory of counts. */
const settings = {
  max_bytes_ratio_before_external_sort: 0.25,
  max_bytes_ratio_before_external_group_by: 0.25,
  max_insert_threads: "1",
  // The numbers of rows are to follow their order.
  query_plan_remove_redundant_sorting: 0,
  date_time_input_format: "best_effort",
} as const;

/** Creates an empty table; one of the name from an earlier try of the same attempt is dropped. */
export async function createStagingTable(options: StagingOptions): Promise<StagedPart> {
  const { jobId, attempt, place, columns, bulk, clickhouse, signal } = options;
  const table = `${STAGING_PREFIX}${jobId}_${attempt}_${place}`;
  const types = columns.map(({ type }, at) => `${columnName(at)} ${stagedType(type)}`);
  await dropTable(bulk, table, signal);
  await bulk.run({
    sql: `CREATE TABLE ${table} (n UInt64, contact UInt64, ${types.join(", ")}) ENGINE = MergeTree ORDER BY n`,
    signal,
  });
  const names = columns.map((_, at) => columnName(at));
  const rowsSoFar = async () => {
    const [row] = await clickhouse.query<{ rows: number }>(`SELECT count() AS rows FROM ${table}`, {}, { signal });
    return row?.rows ?? 0;
  };
  return {
    table,
    async insertSelect(sql, params = {}) {
      const numbered = `SELECT {rowsBefore: UInt64} + rowNumberInAllBlocks(), staged.* FROM (${sql}) AS staged`;
      const insert = `INSERT INTO ${table} (n, contact, ${names.join(", ")}) ${numbered}`;
      await bulk.run({ sql: insert, params: { ...params, rowsBefore: await rowsSoFar() }, settings, signal });
    },
    async insertRows(rows) {
      const insert = `INSERT INTO ${table} (n, contact, ${names.join(", ")}) FORMAT JSONCompactEachRow`;
      const body = Readable.from(linesOf(rows, { columns, rowsBefore: await rowsSoFar() }), { objectMode: false });
      await bulk.run({ sql: insert, settings, signal, body });
    },
  };
}

async function* linesOf(
  rows: AsyncIterable<readonly StagedCell[]>,
  { columns, rowsBefore }: { readonly columns: readonly ExportColumn[]; readonly rowsBefore: number },
): AsyncGenerator<string> {
  let n = rowsBefore;
  for await (const row of rows) {
    const cells = columns.map(({ type }, at) => insertedCell(row[at] ?? null, type));
    yield `${JSON.stringify([n, 0, ...cells])}\n`;
    n += 1;
  }
}

function insertedCell(cell: StagedCell, type: ExportColumn["type"]): StagedCell {
  return type === "moment" && typeof cell === "number" ? new Date(cell).toISOString() : cell;
}

export function dropTable(bulk: ClickHouseBulk, table: string, signal: AbortSignal): Promise<void> {
  return bulk.run({ sql: `DROP TABLE IF EXISTS ${table} SYNC SETTINGS max_table_size_to_drop = 0`, signal });
}

/** Rows of one file: those from `from` on, at most `rowsMax` of them (0: all). */
export interface Cut {
  readonly first: number;
  readonly last: number;
  readonly rows: number;
}

/** Finds where a file ends; numbers may have gaps. */
export async function cutFile(
  clickhouse: ClickHouse,
  {
    table,
    from,
    rowsMax,
    signal,
  }: { readonly table: string; readonly from: number; readonly rowsMax: number; readonly signal: AbortSignal },
): Promise<Cut> {
  const bound = rowsMax === 0 ? "" : " ORDER BY n LIMIT {rowsMax: UInt64}";
  const sql = `SELECT min(n) AS first, max(n) AS last, count() AS rows FROM (SELECT n FROM ${table} WHERE n >= {from: UInt64}${bound})`;
  const [cut] = await clickhouse.query<Cut>(sql, { from, rowsMax }, { signal, timeoutMs: CUT_TIMEOUT_MS });
  return cut ?? { first: from, last: from, rows: 0 };
}

const CUT_TIMEOUT_MS = 300_000;

/** Returns what was read from a staging table; undefined when ClickHouse was put back or emptied since it was filled. */
export async function unlessLost<Read>(read: Promise<Read>): Promise<Read | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isMissingTable(error)) return undefined;
    throw error;
  }
}
