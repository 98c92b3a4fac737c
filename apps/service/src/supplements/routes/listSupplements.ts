import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { countSupplements, pageSupplements } from "@headwater/stores/supplements";
import { z } from "zod";
import { waitForAfter } from "../../consistency/after.ts";
import { pageOf } from "../../paging/answerSchema.ts";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { TABLE_MEMBERS, tableAnswer, tableExample, tableRecord } from "../tableShape.ts";

const query = z.strictObject({ ...listQuery, sort_by: z.enum(["key", "name"]).optional() });
type TablesQuery = z.output<typeof query>;

const key = storableText(128);
/** Lists by key go on behind a key alone. */
const cursorKey = z.union([key, z.strictObject({ key, name: storableText(1_024) })]);

const tablesAnswer = pageOf(tableAnswer.partial());
const tablesExample = { data: [tableExample], pagination: { per_page: 25, page: 1, next_cursor: null } };

const LISTS = { key: "supplements", name: "supplements by name" } as const;

/** Tables in order of key, or of (name, key). */
async function listTables(
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

export function listSupplements(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/supplements",
    operationId: "listSupplements",
    summary: "Lists supplement tables, ordered by key or by name.",
    tags: ["supplements"],
    answers: { 200: { description: "A page of tables.", schema: tablesAnswer, example: tablesExample } },
    auth: "basic",
    scope: "supplements:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listTables(given, caller.account, ports);
    },
  });
}
