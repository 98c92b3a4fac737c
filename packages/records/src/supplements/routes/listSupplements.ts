import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { countSupplements, pageSupplements } from "../supplements.ts";
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
  { postgres, cursors }: Pick<RoutePorts, "postgres" | "cursors">,
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
  const { rows: stored, nextCursor } = cutPage(rows, page, ({ key, name }) =>
    sortBy === "key" ? key : { key, name: name ?? "" },
  );
  const listed = { rows: stored.map((row) => pick(tableRecord(row))), nextCursor };
  return listAnswer({ path: "/v2/supplements", query, page, listed, total });
}

export function listSupplements(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
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
    handler: async ({ query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listTables(input, caller.account, ports);
    },
  });
}
