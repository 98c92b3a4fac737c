import type { Conditions } from "./conditions.ts";

/** A page of rows that are named by `key` and made at `created_at`. */
export interface KeyedPage {
  readonly sortBy: "key" | "createdAt";
  readonly direction: "asc" | "desc";
  /** The last row of the page before. */
  readonly after?: { readonly createdAt: number; readonly key: string };
  readonly skip: number;
  readonly rowsMax: number;
}

export interface KeyedTable {
  readonly table: string;
  /** Selected columns but the large one. */
  readonly columns: string;
  /** Column whose text may be large: null in rows for which the page has no room. */
  readonly large: string;
  /** Limit of the large texts of a page together; the first row's is read in any case. 0 reads none. */
  readonly bytesMax: number;
}

/**
 * Returns the statement of a page in order of (time of creation, key), or of key alone. Large texts of rows beyond the bound stay where
 * they are stored. @param where conditions of the rows; the page's own values are bound in it.
 */
export function keyedPageText(where: Conditions, page: KeyedPage, { table, columns, large, bytesMax }: KeyedTable) {
  const way = page.direction === "asc" ? "ASC" : "DESC";
  const sorted = page.sortBy === "key" ? "key" : "created_at, key";
  if (page.after !== undefined) {
    const { createdAt, key } = page.after;
    const last = page.sortBy === "key" ? where.bind(key) : `(${where.bind(createdAt)}, ${where.bind(key)})`;
    where.add(`(${sorted}) ${page.direction === "asc" ? ">" : "<"} ${last}`);
  }
  const order = sorted.split(", ").map((column) => `${column} ${way}`);
  const limits = `LIMIT ${where.bind(page.rowsMax)} OFFSET ${where.bind(page.skip)}`;
  const bytes = where.bind(bytesMax);
  return `SELECT ${columns}, CASE WHEN bytes <= ${bytes} OR (place = 1 AND ${bytes} > 0) THEN ${large} END AS ${large}
    FROM (SELECT *, sum(octet_length(${large})) OVER sorted AS bytes, row_number() OVER sorted AS place
      FROM (SELECT * FROM ${table} WHERE ${where.text()} ORDER BY ${order} ${limits}) AS page
      WINDOW sorted AS (ORDER BY ${order})) AS measured
    ORDER BY place`;
}
