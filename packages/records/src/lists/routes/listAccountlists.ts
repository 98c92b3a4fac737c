import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, namesAny, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, type Page, readPage } from "@headwater/api/paging/page";
import { listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { countLists, countMembersOf, pageLists } from "../listPages.ts";
import { listShape } from "../listShape.ts";
import { listNameKey, loadListsByName, type StoredList } from "../lists.ts";

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["id", "name"]).optional(),
  name: storableText(512).optional(),
});
type ListsQuery = z.output<typeof query>;

/** Lists by name go on behind a name without case. */
const cursorKey = z.union([z.int32(), storableText(512)]);

export const LIST_MEMBERS = ["id", "name", "enhanced", "count"] as const;

const list = listShape.extend({
  count: z.number().int().describe("Contacts on the list; where `fields` names it.").optional(),
});
const listsAnswer = pageOf(list.partial());

const listsExample = {
  data: [{ id: 1, name: "vip", enhanced: false }],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

const LISTS = { id: "accountlists", name: "accountlists by name" } as const;
/** Counting reads every membership of the lists. */
const COUNTED_PER_PAGE_MAX = 25;

/**
 * Contact lists in order of id, or of name; `name` finds one whatever its case.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` for counts of more than 25 lists.
 */
async function listLists(
  query: ListsQuery,
  account: Account,
  { postgres, cursors }: Pick<RoutePorts, "cursors" | "postgres">,
): Promise<Answer> {
  const { sort_by: sortBy = "id" } = query;
  const rules = { list: LISTS[sortBy], key: cursorKey, direction: "asc", account: account.number, cursors } as const;
  const page = readPage(query, rules);
  const pick = pickFields(query.fields, LIST_MEMBERS);
  const isCounted = query.fields !== undefined && namesAny(query.fields, ["count"]);
  if (isCounted && page.perPage > COUNTED_PER_PAGE_MAX) throw tooManyCounts();
  const { rows, total } = await readCounted(postgres, query, {
    page: async (session) => {
      const found = await readRows(query, page, account.number, session);
      return isCounted ? withCounts(found, account.number, session) : found;
    },
    count: (session) => countRows(query.name, account.number, session),
    needsSnapshot: isCounted,
  });
  const { rows: kept, nextCursor } = cutPage(rows, page, ({ id, name }) => (sortBy === "id" ? id : listNameKey(name)));
  const listed = { rows: kept.map(toRecord).map(pick), nextCursor };
  return listAnswer({ path: "/v2/accountlists", query, page, listed, total });
}

type CountedList = StoredList & { readonly count?: number };

async function readRows(
  { name, sort_by: sortBy = "id" }: ListsQuery,
  { after, skip, perPage, direction }: Page<number | string>,
  account: number,
  session: Session,
): Promise<readonly CountedList[]> {
  if (name === undefined) {
    const bounds = { direction, skip, rowsMax: perPage + 1, ...(after !== undefined && { after }) };
    return pageLists(session, { account, sortBy, ...bounds });
  }
  // At most one has the name: nothing comes after it.
  return after === undefined ? (await loadListsByName(session, [{ account, name }])).slice(skip) : [];
}

async function withCounts(
  lists: readonly StoredList[],
  account: number,
  session: Session,
): Promise<readonly CountedList[]> {
  const ids = lists.map(({ id }) => id);
  const counts = await countMembersOf(session, account, ids);
  return lists.map((list) => ({ ...list, count: counts.get(list.id) ?? 0 }));
}

function toRecord({ id, name, enhanced, count }: CountedList) {
  return { id, name, enhanced, ...(count !== undefined && { count }) };
}

function tooManyCounts() {
  const message = `\`per_page\` is at most ${COUNTED_PER_PAGE_MAX} where \`fields\` names \`count\`.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/per_page", code: "out_of_range", message }] });
}

async function countRows(name: string | undefined, account: number, session: Session) {
  if (name === undefined) return countLists(session, account);
  return (await loadListsByName(session, [{ account, name }])).length;
}

export function listAccountlists(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accountlists",
    operationId: "listAccountlists",
    summary: "Lists contact lists.",
    description: "Counts of members are shown where `fields` names `count`, of up to 25 lists of a page.",
    tags: ["accountlists"],
    answers: { 200: { description: "A page of lists.", schema: listsAnswer, example: listsExample } },
    auth: "basic",
    scope: "accountlists:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listLists(given, caller.account, ports);
    },
  });
}
