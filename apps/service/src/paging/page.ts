import { refusal } from "@headwater/http";
import type { z } from "zod";
import type { ListQuery } from "./query.ts";

export const PER_PAGE_USUAL = 25;
export const PER_PAGE_MAX = 500;
const REACH_MAX = 10_000;

/** Where a page begins: a number of rows to skip, or the key of the last row of the page before. */
export interface Page<Key> {
  readonly perPage: number;
  readonly page: number | undefined;
  readonly skip: number;
  readonly after: Key | undefined;
  readonly direction: "asc" | "desc";
}

export interface PageRules<Key> {
  /** Names the list in its cursors, so that one list's cursor is refused by the others. */
  readonly list: string;
  readonly key: z.ZodType<Key>;
  readonly direction: "asc" | "desc";
}

/**
 * Reads `page`, `per_page`, `cursor` and `sort_dir`.
 *
 * Throws 422 `VALIDATION_ERROR` for pages that are too large or too far, 400 `INVALID_CURSOR` for a cursor that cannot be
 * read or was made for another list or direction.
 */
export function readPage<Key>(query: ListQuery, rules: PageRules<Key>): Page<Key> {
  const perPage = query.per_page ?? PER_PAGE_USUAL;
  const direction = query.sort_dir ?? rules.direction;
  if (perPage > PER_PAGE_MAX) throw tooLarge();
  if (query.cursor !== undefined) {
    if (query.page !== undefined) throw pageAndCursor();
    return { perPage, page: undefined, skip: 0, after: openCursor(query.cursor, direction, rules), direction };
  }
  const page = query.page ?? 1;
  if (page * perPage > REACH_MAX) throw tooFar();
  return { perPage, page, skip: (page - 1) * perPage, after: undefined, direction };
}

export interface Listed<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page, null at the end. */
  readonly nextCursor: string | null;
}

/** Cuts rows that were asked for with one more than the page holds. */
export function cutPage<Row, Key>(
  rows: readonly Row[],
  { perPage, direction }: Page<Key>,
  { list, keyOf }: { readonly list: string; readonly keyOf: (row: Row) => Key },
): Listed<Row> {
  const kept = rows.slice(0, perPage);
  const last = kept.at(-1);
  if (rows.length <= perPage || last === undefined) return { rows: kept, nextCursor: null };
  return { rows: kept, nextCursor: toCursor(list, direction, keyOf(last)) };
}

/** The cursor of what comes after the key. */
export function toCursor(list: string, direction: "asc" | "desc", key: unknown): string {
  return Buffer.from(JSON.stringify([list, direction, key])).toString("base64url");
}

function openCursor<Key>(cursor: string, direction: string, { list, key }: PageRules<Key>): Key {
  const parts = parseJson(Buffer.from(cursor, "base64url").toString("utf8"));
  if (!Array.isArray(parts) || parts[0] !== list || parts[1] !== direction) throw invalidCursor();
  const parsed = key.safeParse(parts[2]);
  if (!parsed.success) throw invalidCursor();
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function invalidCursor() {
  return refusal("INVALID_CURSOR", "The cursor cannot be read, or was made for another list or order.");
}

function pageAndCursor() {
  const details = [{ path: "/page", code: "not_allowed", message: "A cursor takes the place of the page." }];
  return refusal("BAD_REQUEST", "Give page or cursor, not both.", { details });
}

function tooLarge() {
  const message = `A page holds at most ${PER_PAGE_MAX} records.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/per_page", code: "out_of_range", message }] });
}

function tooFar() {
  const message = `page × per_page is at most ${REACH_MAX}: go on with the cursor.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/page", code: "use_cursor", message }] });
}
