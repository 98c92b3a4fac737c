import type { Conditions } from "./conditions.ts";

/** A page of rows that have an `id` and a `name` and were made at `created_at`. */
export interface NamedPage {
  readonly sortBy: "createdAt" | "name";
  readonly direction: "asc" | "desc";
  /** The last row of the page before. */
  readonly after?: { readonly createdAt: number; readonly name: string; readonly id: string };
  readonly skip: number;
  readonly rowsMax: number;
}

/**
 * Returns the statement of a page in order of (time of creation, id), or of (name, id).
 * @param where conditions of the rows; the page's own values are bound in it.
 */
export function namedPageText(
  where: Conditions,
  { sortBy, direction, after, skip, rowsMax }: NamedPage,
  { table, columns }: { readonly table: string; readonly columns: string },
): string {
  const column = sortBy === "name" ? "name" : "created_at";
  if (after !== undefined) {
    const last = `(${where.bind(after[sortBy])}, ${where.bind(after.id)})`;
    where.add(`(${column}, id) ${direction === "asc" ? ">" : "<"} ${last}`);
  }
  const way = direction === "asc" ? "ASC" : "DESC";
  const limits = `LIMIT ${where.bind(rowsMax)} OFFSET ${where.bind(skip)}`;
  return `SELECT ${columns} FROM ${table} WHERE ${where.text()} ORDER BY ${column} ${way}, id ${way} ${limits}`;
}
