import type { Conditions } from "./conditions.ts";
import { keysetOrder } from "./keyset.ts";

/** A page of rows that have a `key` and a `name` and were made at `created_at`. Only tables whose rows have a `name` are sorted by it. */
export interface KeyedPage {
  readonly sortBy: "key" | "createdAt" | "name";
  readonly direction: "asc" | "desc";
  /** The last row of the page before. */
  readonly after?: { readonly createdAt: number; readonly key: string; readonly name?: string | undefined };
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
 * Returns the statement of a page in order of (time of creation, key), of (name, key), or of key alone. Large texts of rows beyond the bound stay where
 * they are stored. @param where conditions of the rows; the page's own values are bound in it.
 */
export function keyedPageText(where: Conditions, page: KeyedPage, { table, columns, large, bytesMax }: KeyedTable) {
  const order = keysetOrder(where, sortingOf(page));
  const limits = `LIMIT ${where.bind(page.rowsMax)} OFFSET ${where.bind(page.skip)}`;
  const bytes = where.bind(bytesMax);
  return `SELECT ${columns}, CASE WHEN bytes <= ${bytes} OR (place = 1 AND ${bytes} > 0) THEN ${large} END AS ${large}
    FROM (SELECT *, sum(octet_length(${large})) OVER sorted AS bytes, row_number() OVER sorted AS place
      FROM (SELECT * FROM ${table} WHERE ${where.text()} ORDER BY ${order} ${limits}) AS page
      WINDOW sorted AS (ORDER BY ${order})) AS measured
    ORDER BY place`;
}

function sortingOf({ sortBy, direction, after }: KeyedPage) {
  switch (sortBy) {
    case "key":
      return { columns: ["key"], direction, last: after && [after.key] };
    case "name":
      return { columns: ["name", "key"], direction, last: after && [after.name ?? "", after.key] };
    case "createdAt":
      return { columns: ["created_at", "key"], direction, last: after && [after.createdAt, after.key] };
  }
}
