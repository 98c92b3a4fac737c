import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { type Account, attributeTypes } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { countAttributes, pageAttributes } from "../attributeDefinitions.ts";
import { DEFINITION_MEMBERS, definitionExample, definitionRecord, definitionShape } from "../definitionShape.ts";

const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["key", "name"]).optional(),
  type: z.enum([...attributeTypes, "auto"]).optional(),
  indexed: z.enum(["true", "false"]).optional(),
});
type DefinitionsQuery = z.output<typeof query>;

const key = storableText(1_024);
/** Lists by key go on behind a key alone. */
const cursorKey = z.union([key, z.strictObject({ key, name: storableText(1_024) })]);

const definitionsAnswer = pageOf(definitionShape.partial());

const definitionsExample = {
  data: [definitionExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

const LISTS = { key: "accountcontactattributes", name: "accountcontactattributes by name" } as const;

/** Definitions in order of key, or of (name, key), those that came up by themselves too. */
async function listDefinitions(
  query: DefinitionsQuery,
  account: Account,
  { postgres, cursors }: Pick<RoutePorts, "postgres" | "cursors">,
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

export function listAttributes(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/accountcontactattributes",
    operationId: "listAttributes",
    summary: "Lists the definitions of contact attributes, ordered by key or by name.",
    tags: ["accountcontactattributes"],
    answers: { 200: { description: "A page of definitions.", schema: definitionsAnswer, example: definitionsExample } },
    auth: "basic",
    scope: "accountcontactattributes:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listDefinitions(given, caller.account, ports);
    },
  });
}
