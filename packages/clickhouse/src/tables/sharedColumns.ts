import type { Table } from "./defineTable.ts";

/** The leading columns of two tables that hold the same values in the same bytes. */
export interface SharedColumns {
  readonly count: number;
  /** Bytes of a row of the first table behind them. */
  readonly bytesBehind: number;
}

/**
 * Returns the columns that a row of the first table has in common with one of the second, from the front: a row that belongs into both
 * is written once and its bytes are copied.
 * @returns undefined when there is none, or when the first table's other columns differ in length from row to row.
 */
export function sharedColumns(first: ColumnsOf, second: ColumnsOf): SharedColumns | undefined {
  const [mine, theirs] = [[...first.columnTypes], [...second.columnTypes]];
  const differs = mine.findIndex(([name, column], index) => theirs[index]?.[0] !== name || theirs[index][1] !== column);
  const count = differs < 0 ? mine.length : differs;
  const widths = mine.slice(count).map(([, { bytes }]) => bytes ?? Number.NaN);
  const bytesBehind = widths.reduce((sum, bytes) => sum + bytes, 0);
  return count === 0 || Number.isNaN(bytesBehind) ? undefined : { count, bytesBehind };
}

type ColumnsOf = Pick<Table<never>, "columnTypes">;
