import type { Page } from "../../paging/page.ts";
import { REACH_MAX } from "../../paging/page.ts";
import type { StatsQuery } from "./schema.ts";

interface Paged {
  readonly path: string;
  readonly query: StatsQuery;
  readonly page: Page<unknown>;
  /** Places of the rows of the page, from 1. */
  readonly places: readonly number[];
  readonly total: number;
  readonly nextCursor: string | null;
}

/** The pagination of a program's stats: pages have addresses of their own. Those too deep for a number are reached by cursor. */
export function paginationOf({ path, query, page: { page, perPage }, places, total, nextCursor }: Paged) {
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const pageUrl = (number: number) => (number * perPage > REACH_MAX ? null : urlOf(path, query, { page: number }));
  const next = nextCursor === null ? null : urlOf(path, query, { cursor: nextCursor });
  return {
    total,
    per_page: perPage,
    current_page: page ?? null,
    last_page: lastPage,
    from: places[0] ?? null,
    to: places.at(-1) ?? null,
    first_page_url: urlOf(path, query, { page: 1 }),
    last_page_url: pageUrl(lastPage),
    next_page_url: nextCursor === null || page === undefined ? next : (pageUrl(page + 1) ?? next),
    prev_page_url: page === undefined || page === 1 ? null : pageUrl(page - 1),
    next_cursor: nextCursor,
  };
}

function urlOf(path: string, query: StatsQuery, place: { readonly page?: number; readonly cursor?: string }): string {
  const { page: _, cursor: __, after: ___, ...rest } = query;
  const given = Object.entries({ ...rest, ...place }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `${path}?${new URLSearchParams(given)}`;
}
