import { toMembers } from "@headwater/client";
import type { CallOptions, OperationId } from "./request.ts";
import type { ServiceAnswer } from "./transport.ts";

export type Row = Readonly<Record<string, unknown>>;

export interface PagesOptions extends CallOptions {
  /** No more rows than these. Default: all there are. */
  readonly rowsMax?: number;
}

export interface Page {
  readonly rows: readonly Row[];
  /** The number of all rows, where `return_count` asked for it. */
  readonly total: number | undefined;
  /** Says that no rows follow these. */
  readonly isLast: boolean;
}

const PER_PAGE_MAX = 500;
/** Five hundred million rows: beyond it a cursor goes round. */
const PAGES_MAX = 1_000_000;

/** Reads a list page by page, following its cursors. Only one page is held. `after` is waited for once. */
export async function* pagesOf(
  call: (operation: OperationId, options: CallOptions) => Promise<ServiceAnswer>,
  operation: OperationId,
  { rowsMax = Number.POSITIVE_INFINITY, query = {}, ...rest }: PagesOptions = {},
): AsyncGenerator<Page, void> {
  let left = rowsMax;
  let next: Readonly<Record<string, string | undefined>> = {};
  for (let pages = 0; pages < PAGES_MAX && left > 0; pages += 1) {
    const perPage = Math.min(left, PER_PAGE_MAX);
    const answer = await call(operation, { ...rest, query: { per_page: perPage, ...query, ...next } });
    const { rows, total, cursor } = readPage(answer.body);
    left -= rows.length;
    yield { rows, total, isLast: cursor === undefined };
    if (cursor === undefined || cursor === next.cursor) return;
    next = { cursor, after: undefined, page: undefined };
  }
}

function readPage(body: unknown) {
  const { data, pagination } = toMembers(body);
  const { next_cursor: cursor, total } = toMembers(pagination);
  return {
    rows: Array.isArray(data) ? data.map(toMembers) : [],
    total: typeof total === "number" ? total : undefined,
    cursor: typeof cursor === "string" ? cursor : undefined,
  };
}
