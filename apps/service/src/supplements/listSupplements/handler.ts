import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countSupplements, pageSupplements } from "@headwater/stores/supplements";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import { storableText } from "../../paging/query.ts";
import type { ServicePorts } from "../../ports.ts";
import { TABLE_MEMBERS, tableRecord } from "../tableShape.ts";
import type { TablesQuery } from "./schema.ts";

const LIST = "supplements";

/** Tables in order of key. */
export async function listTables(
  query: TablesQuery,
  { number: account }: Account,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const page = readPage(query, { list: LIST, key: storableText(128), direction: "asc", account, cursors });
  const pick = pickFields(query.fields, TABLE_MEMBERS);
  const { after, direction, skip, perPage } = page;
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageSupplements(session, { account, direction, after, skip, rowsMax: perPage + 1 }),
    count: (session) => countSupplements(session, account),
  });
  const { rows: kept, nextCursor } = cutPage(rows, page, ({ key }) => key);
  const listed = { rows: kept.map((row) => pick(tableRecord(row))), nextCursor };
  return listAnswer({ path: "/v2/supplements", query, page, listed, total });
}
