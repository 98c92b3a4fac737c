import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countAttributes, pageAttributes } from "@headwater/stores/attributes";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { DEFINITION_MEMBERS, definitionRecord } from "../definitionShape.ts";
import { cursorKey, type DefinitionsQuery } from "./schema.ts";

const LISTS = { key: "accountcontactattributes", name: "accountcontactattributes by name" } as const;

/** Definitions in order of key, or of (name, key), those that came up by themselves too. */
export async function listDefinitions(
  query: DefinitionsQuery,
  account: Account,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const { sort_by: sortBy = "key" } = query;
  const rules = { list: LISTS[sortBy], key: cursorKey, direction: "asc", account: account.number, cursors } as const;
  const page = readPage(query, rules);
  const pick = pickFields(query.fields, DEFINITION_MEMBERS);
  const indexed = query.indexed === undefined ? undefined : query.indexed === "true";
  const filters = { account: account.number, type: query.type, indexed };
  const { skip, perPage, direction } = page;
  const after = typeof page.after === "string" ? { key: page.after, name: page.after } : page.after;
  const bounds = { sortBy, direction, after, skip, rowsMax: perPage + 1 };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageAttributes(session, { ...filters, ...bounds }),
    count: (session) => countAttributes(session, filters),
  });
  const { rows: kept, nextCursor } = cutPage(rows, page, ({ key, name }) =>
    sortBy === "key" ? key : { key, name: name ?? key },
  );
  const listed = { rows: kept.map((row) => pick(definitionRecord(row))), nextCursor };
  return listAnswer({ path: "/v2/accountcontactattributes", query, page, listed, total });
}
