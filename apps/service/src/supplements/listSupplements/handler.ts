import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countSupplements, pageSupplements } from "@headwater/stores/supplements";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { TABLE_MEMBERS, tableRecord } from "../tableShape.ts";
import { cursorKey, type TablesQuery } from "./schema.ts";

const LISTS = { key: "supplements", name: "supplements by name" } as const;

/** Tables in order of key, or of (name, key). */
export async function listTables(
  query: TablesQuery,
  { number: account }: Account,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const { sort_by: sortBy = "key" } = query;
  const page = readPage(query, { list: LISTS[sortBy], key: cursorKey, direction: "asc", account, cursors });
  const pick = pickFields(query.fields, TABLE_MEMBERS);
  const { direction, skip, perPage } = page;
  const after = typeof page.after === "string" ? { key: page.after, name: page.after } : page.after;
  const bounds = { sortBy, direction, after, skip, rowsMax: perPage + 1 };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageSupplements(session, { account, ...bounds }),
    count: (session) => countSupplements(session, account),
  });
  const { rows: kept, nextCursor } = cutPage(rows, page, ({ key, name }) =>
    sortBy === "key" ? key : { key, name: name ?? "" },
  );
  const listed = { rows: kept.map((row) => pick(tableRecord(row))), nextCursor };
  return listAnswer({ path: "/v2/supplements", query, page, listed, total });
}
