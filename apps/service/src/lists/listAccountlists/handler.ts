import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import {
  countLists,
  countMembersOf,
  listNameKey,
  loadListsByName,
  pageLists,
  type StoredList,
} from "@headwater/stores/lists";
import type { Session } from "@headwater/stores/postgres";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, namesAny, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, type Page, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { cursorKey, LIST_MEMBERS, type ListsQuery } from "./schema.ts";

const LISTS = { id: "accountlists", name: "accountlists by name" } as const;
/** Counting reads every membership of the lists. */
const COUNTED_PER_PAGE_MAX = 25;

/**
 * Contact lists in order of id, or of name; `name` finds one whatever its case.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` for counts of more than 25 lists.
 */
export async function listLists(
  query: ListsQuery,
  account: Account,
  { postgres, cursors }: Pick<ServicePorts, "cursors" | "postgres">,
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
