import { DocumentsTooLarge } from "./failures.ts";

/** No bound. */
export const ANY_BYTES = Number.MAX_SAFE_INTEGER;

/**
 * Cuts off a statement's documents behind so many bytes, before they leave the database: else one answer may be larger than memory.
 * @param columns of the rows beside `doc`, as they are named.
 * @param parameter the bound, as `$3`.
 */
export function boundDocuments(select: string, columns: string, parameter: string): string {
  const bytes = "sum(octet_length(d.doc)) OVER (ROWS UNBOUNDED PRECEDING)";
  return `SELECT ${columns}, CASE WHEN ${bytes} <= ${parameter}::bigint THEN d.doc END AS doc FROM (${select}) d`;
}

/** @throws DocumentsTooLarge when a document of such a statement was cut off. */
export function wholeRows<Row extends { readonly doc: string }>(
  rows: readonly (Omit<Row, "doc"> & { readonly doc: string | null })[],
): Row[];
export function wholeRows(rows: readonly { readonly doc: string | null }[]): unknown[] {
  if (rows.some(({ doc }) => doc === null)) throw new DocumentsTooLarge("The documents exceed the load limit.");
  return [...rows];
}
