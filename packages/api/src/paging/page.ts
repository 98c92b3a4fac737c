import { refusal } from "@headwater/http";
import type { BoundedRows } from "@headwater/postgres/connection/documentBound";
import type { z } from "zod";
import type { Cursors } from "./cursors.ts";
import type { ListQuery } from "./query.ts";

export const PER_PAGE_DEFAULT = 25;
export const PER_PAGE_MAX = 500;
/** Limit of `page` × `per_page`. */
export const REACH_MAX = 10_000;

/** Start of a page: a number of rows to skip, or the key of the last row of the page before. */
export interface Page<Key> {
  readonly perPage: number;
  readonly page: number | undefined;
  readonly skip: number;
  readonly after: Key | undefined;
  readonly direction: "asc" | "desc";
  /** The cursor of what comes after the key. */
  cursorAfter(key: Key): string;
}

export interface PageRules<Key> {
  /** Names the list in its cursors, so that one list's cursor is refused by the others. */
  readonly list: string;
  readonly key: z.ZodType<Key>;
  readonly direction: "asc" | "desc";
  /** Number of the account whose list it is. */
  readonly account: number;
  readonly cursors: Cursors;
}

/**
 * Reads `page`, `per_page`, `cursor` and `sort_dir`.
 *
 * Throws 422 `VALIDATION_ERROR` for pages that are too large or too far, 400 `INVALID_CURSOR` for a cursor that was not
 * given out for this list of this account in this direction.
 */
export function readPage<Key>(query: ListQuery, rules: PageRules<Key>): Page<Key> {
  const perPage = query.per_page ?? PER_PAGE_DEFAULT;
  const direction = query.sort_dir ?? rules.direction;
  if (perPage > PER_PAGE_MAX) throw tooLarge();
  const { account, list, cursors } = rules;
  const scope = { account, list, direction };
  const cursorAfter = (key: Key) => cursors.seal(scope, key);
  if (query.cursor !== undefined) {
    if (query.page !== undefined) throw pageAndCursor();
    const after = cursors.open(query.cursor, scope, rules.key);
    if (after === undefined) throw invalidCursor();
    return { perPage, page: undefined, skip: 0, after, direction, cursorAfter };
  }
  const page = query.page ?? 1;
  if (page * perPage > REACH_MAX) throw tooFar();
  return { perPage, page, skip: (page - 1) * perPage, after: undefined, direction, cursorAfter };
}

export interface Listed<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page, null at the end. */
  readonly nextCursor: string | null;
}

/** Cuts rows that were asked for with one more than the page holds. */
export function cutPage<Row, Key>(rows: readonly Row[], page: Page<Key>, keyOf: (row: Row) => Key): Listed<Row> {
  return cutBoundedPage({ rows, isCut: false }, page, keyOf);
}

/** Cuts rows that were asked for with one more than the page holds, and of which the last ones may be left out for their size. */
export function cutBoundedPage<Row, Key>(
  { rows, isCut }: BoundedRows<Row>,
  { perPage, cursorAfter }: Page<Key>,
  keyOf: (row: Row) => Key,
): Listed<Row> {
  const stored = rows.slice(0, perPage);
  const last = stored.at(-1);
  const hasMore = isCut || rows.length > perPage;
  return { rows: stored, nextCursor: hasMore && last !== undefined ? cursorAfter(keyOf(last)) : null };
}

export function invalidCursor() {
  return refusal("INVALID_CURSOR", "The cursor is invalid, or belongs to another list or sort order.");
}

function pageAndCursor() {
  const details = [{ path: "/page", code: "not_allowed", message: "`cursor` and `page` are mutually exclusive." }];
  return refusal("BAD_REQUEST", "Send either `page` or `cursor`, not both.", { details });
}

function tooLarge() {
  const message = `\`per_page\` must be at most ${PER_PAGE_MAX}.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/per_page", code: "out_of_range", message }] });
}

function tooFar() {
  const message = `\`page\` × \`per_page\` must be at most ${REACH_MAX}. Continue with \`cursor\`.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/page", code: "use_cursor", message }] });
}
