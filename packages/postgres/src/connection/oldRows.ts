import type { Session } from "./session.ts";

/** A piece takes far less than a statement may, and no lock is held for long. */
const ROWS_AT_A_TIME = 5_000;

/** A table whose rows are kept for a time. */
export interface AgingTable {
  readonly table: string;
  /** Indexed. */
  readonly column: string;
  /** Expression for `$1`, milliseconds since 1970, in the column's type; default: `$1` itself. */
  readonly moment?: string;
  /** A condition of rows that stay, however old. */
  readonly unless?: string;
}

/** Deletes the rows that are older than `before` (milliseconds since 1970), the oldest first, piece by piece. @returns how many. */
export async function deleteOlder(session: Session, aging: AgingTable, before: number): Promise<number> {
  const { table, column, moment: instant = "$1::bigint", unless = "false" } = aging;
  const statement = {
    name: `${table.replaceAll(".", "_")}_delete_old`,
    text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${column} < ${instant} AND NOT (${unless}) ORDER BY ${column} LIMIT $2 FOR UPDATE SKIP LOCKED))`,
  };
  return deletePieces((rowsMax) => session.execute(statement, [before, rowsMax]));
}

/** Deletes piece by piece until one is not full. @param piece deletes up to `rowsMax` rows and returns how many. @returns how many in all. */
export async function deletePieces(piece: (rowsMax: number) => Promise<number>): Promise<number> {
  for (let deleted = 0; ; ) {
    const rows = await piece(ROWS_AT_A_TIME);
    deleted += rows;
    if (rows < ROWS_AT_A_TIME) return deleted;
  }
}

/** Expression for columns of type timestamptz. */
export const TIMESTAMP = "to_timestamp($1::double precision / 1000)";
