import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { countIncludes, type ListedInclude, pageIncludes } from "@headwater/stores/includes";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { INCLUDE_MEMBERS, includeRecord } from "../includeView.ts";
import { cursorKey, type IncludesQuery } from "./schema.ts";

const LIST = "includes";
const PAGE_BYTES_MAX = 16 * 1024 * 1024;

/** Includes by (time of making, key), or by key. Throws 422 `use_cursor` for a numbered page that would hold too much. */
export async function listIncludesOf(
  query: IncludesQuery,
  { number: account }: Account,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const sortBy = query.sort_by ?? "createdAt";
  const list = `${LIST} by ${sortBy}`;
  const page = readPage(query, { list, key: cursorKey, direction: "asc", account, cursors });
  const pick = pickFields(query.fields, INCLUDE_MEMBERS);
  const filters = { account, ...(query.key !== undefined && { key: query.key }) };
  const { after, direction, skip, perPage } = page;
  const showsContent = query.fields === undefined || "content" in pick({ content: "" });
  const contentBytesMax = showsContent ? PAGE_BYTES_MAX : 0;
  const bounds = { sortBy, direction, skip, rowsMax: perPage + 1, contentBytesMax, ...(after && { after }) };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageIncludes(session, { ...filters, ...bounds }),
    count: (session) => countIncludes(session, filters),
  });
  const kept = showsContent ? rowsWithRoom(rows, perPage) : perPage;
  if (kept < Math.min(perPage, rows.length) && query.page !== undefined) throw tooMuch();
  const keyOf = ({ createdAt, key }: ListedInclude) => ({ createdAt, key });
  const cut = cutPage(rows, { ...page, perPage: kept }, keyOf);
  const listed = { rows: cut.rows.map((row) => pick(includeRecord(row))), nextCursor: cut.nextCursor };
  return listAnswer({ path: "/v2/includes", query, page, listed, total });
}

/** Returns how many rows of the page were read with their content: all, or those before the first that had no room. */
function rowsWithRoom(rows: readonly ListedInclude[], perPage: number): number {
  const first = rows.findIndex(({ content }) => content === null);
  return first === -1 ? perPage : Math.min(first, perPage);
}

function tooMuch() {
  const message = `A page holds at most ${PAGE_BYTES_MAX} bytes of content. Continue with the cursor, or leave out \`content\` with \`fields\`.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/page", code: "use_cursor", message }] });
}
