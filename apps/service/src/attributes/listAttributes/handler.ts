import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countAttributes, pageAttributes } from "@headwater/stores/attributes";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { DEFINITION_MEMBERS, definitionRecord } from "../definitionShape.ts";
import { cursorKey, type DefinitionsQuery } from "./schema.ts";

const LIST = "accountcontactattributes";

/** Definitions in order of key, those that came up by themselves too. */
export async function listDefinitions(
  query: DefinitionsQuery,
  account: Account,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const page = readPage(query, { list: LIST, key: cursorKey, direction: "asc", account: account.number, cursors });
  const pick = pickFields(query.fields, DEFINITION_MEMBERS);
  const indexed = query.indexed === undefined ? undefined : query.indexed === "true";
  const filters = { account: account.number, type: query.type, indexed };
  const { after, skip, perPage, direction } = page;
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageAttributes(session, { ...filters, direction, after, skip, rowsMax: perPage + 1 }),
    count: (session) => countAttributes(session, filters),
  });
  const { rows: kept, nextCursor } = cutPage(rows, page, ({ key }) => key);
  const listed = { rows: kept.map((row) => pick(definitionRecord(row))), nextCursor };
  return listAnswer({ path: "/v2/accountcontactattributes", query, page, listed, total });
}
