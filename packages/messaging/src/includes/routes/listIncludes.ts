import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { countIncludes, type ListedInclude, pageIncludes } from "../includes.ts";
import { INCLUDE_MEMBERS, includeExample, includeRecord, includeShape } from "../includeView.ts";

const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["createdAt", "key"]).optional(),
  key: storableText(1_024).optional(),
});
type IncludesQuery = z.output<typeof query>;

const cursorKey = z.strictObject({ createdAt: z.number().int(), key: storableText(1_024) });

const includesAnswer = pageOf(includeShape.partial());

const includesExample = {
  data: [includeExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

const LIST = "includes";
const PAGE_BYTES_MAX = 16 * 1024 * 1024;

/** Includes by (time of making, key), or by key. Throws 422 `use_cursor` for a numbered page that would hold too much. */
async function listIncludesOf(
  query: IncludesQuery,
  { number: account }: Account,
  { postgres, cursors }: Pick<RoutePorts, "postgres" | "cursors">,
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

export function listIncludes(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/includes",
    operationId: "listIncludes",
    summary: "Lists includes in order of creation.",
    description:
      "A page holds at most 16 MiB of content; a larger page ends early and continues at `next_cursor`. Without content (`fields=key,name`) pages are always full.",
    tags: ["includes"],
    answers: { 200: { description: "A page of includes.", schema: includesAnswer, example: includesExample } },
    auth: "basic",
    scope: "includes:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listIncludesOf(given, caller.account, ports);
    },
  });
}
