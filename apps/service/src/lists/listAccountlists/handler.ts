import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countLists, loadListsByName, pageLists, type StoredList } from "@headwater/stores/lists";
import type { Session } from "@headwater/stores/postgres";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, type Page, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { cursorKey, LIST_MEMBERS, type ListsQuery } from "./schema.ts";

const LIST = "accountlists";

/** Contact lists in order of id; `name` finds one whatever its case. */
export async function listLists(
  query: ListsQuery,
  account: Account,
  { postgres, cursors }: Pick<ServicePorts, "cursors" | "postgres">,
): Promise<Answer> {
  const page = readPage(query, { list: LIST, key: cursorKey, direction: "asc", account: account.number, cursors });
  const pick = pickFields(query.fields, LIST_MEMBERS);
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => readRows(query.name, page, account.number, session),
    count: (session) => countRows(query.name, account.number, session),
  });
  const { rows: kept, nextCursor } = cutPage(rows, page, ({ id }) => id);
  const listed = { rows: kept.map(({ id, name, enhanced }) => pick({ id, name, enhanced })), nextCursor };
  return listAnswer({ path: "/v2/accountlists", query, page, listed, total });
}

async function readRows(
  name: string | undefined,
  { after, skip, perPage, direction }: Page<number>,
  account: number,
  session: Session,
): Promise<StoredList[]> {
  if (name === undefined) {
    return pageLists(session, {
      account,
      direction,
      skip,
      rowsMax: perPage + 1,
      ...(after !== undefined && { after }),
    });
  }
  // At most one has the name: nothing comes after it.
  return after === undefined ? (await loadListsByName(session, [{ account, name }])).slice(skip) : [];
}

async function countRows(name: string | undefined, account: number, session: Session) {
  if (name === undefined) return countLists(session, account);
  return (await loadListsByName(session, [{ account, name }])).length;
}
