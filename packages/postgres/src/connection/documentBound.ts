import { DocumentsTooLarge } from "./failures.ts";

/** No bound. */
export const ANY_BYTES = Number.MAX_SAFE_INTEGER;

/**
 * Cuts off a statement's documents behind so many bytes, before they leave the database: else one answer may be larger than memory.
 * @param columns of the rows next to `doc`, as they are named.
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

/** The first rows of a page, as many as its limit of bytes admits. */
export interface BoundedRows<Row> {
  readonly rows: readonly Row[];
  /** True when rows were left out for their size. */
  readonly isCut: boolean;
}

/**
 * Does what `boundDocuments` does for a page that ends at the bound: its first document is read in any case, so that a walk gets past it.
 * The lengths of stored texts are known without reading them.
 */
export function boundPage(select: string, columns: string, parameter: string): string {
  const bytes = "sum(octet_length(d.doc)) OVER (ROWS UNBOUNDED PRECEDING)";
  const isFirst = "row_number() OVER (ROWS UNBOUNDED PRECEDING) = 1";
  return `SELECT ${columns}, CASE WHEN ${isFirst} OR ${bytes} <= ${parameter}::bigint THEN d.doc END AS doc FROM (${select}) d`;
}

/** Keeps the rows before the first whose document was cut off. */
export function rowsWithinBound<Row extends { readonly doc: string }>(
  rows: readonly (Omit<Row, "doc"> & { readonly doc: string | null })[],
): BoundedRows<Row>;
export function rowsWithinBound(rows: readonly { readonly doc: string | null }[]): BoundedRows<unknown> {
  const cutAt = rows.findIndex(({ doc }) => doc === null);
  return cutAt === -1 ? { rows, isCut: false } : { rows: rows.slice(0, cutAt), isCut: true };
}
