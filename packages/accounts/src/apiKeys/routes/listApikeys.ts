import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { ApiKey } from "../../accounts/apiKeys.ts";
import type { RoutePorts } from "../../ports.ts";
import { API_KEY_MEMBERS, apiKeyExample, apiKeyRecord, apiKeyShape } from "../apiKeyView.ts";

export const query = z.strictObject({ ...listQuery, sort_by: z.literal("ct").optional() });
type KeysQuery = z.output<typeof query>;

/** Milliseconds of its making, and id. */
const cursorKey = z.tuple([z.number().int(), storableText(64)]);

const keysAnswer = pageOf(apiKeyShape.partial());

const keysExample = {
  data: [apiKeyExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

const LIST = "apikeys";
type Path = readonly [number, string];

/** Keys in the order they were made. An account has so few that they are read at once. */
async function listKeys(
  query: KeysQuery,
  account: Account,
  { apiKeys, cursors }: Pick<RoutePorts, "apiKeys" | "cursors">,
): Promise<Answer> {
  const page = readPage<Path>(query, {
    list: LIST,
    key: cursorKey,
    direction: "asc",
    account: account.number,
    cursors,
  });
  const pick = pickFields(query.fields, API_KEY_MEMBERS);
  const keys = (await apiKeys.list(account.number)).filter(({ revokedAt }) => revokedAt === null);
  const sign = page.direction === "asc" ? 1 : -1;
  const { after } = page;
  const rest = keys
    .toSorted((one, other) => sign * compare(pathOf(one), pathOf(other)))
    .filter((key) => after === undefined || sign * compare(pathOf(key), after) > 0)
    .slice(page.skip, page.skip + page.perPage + 1);
  const { rows, nextCursor } = cutPage(rest, page, pathOf);
  const listed = { rows: rows.map((key) => pick(apiKeyRecord(key))), nextCursor };
  const total = query.return_count === "true" ? keys.length : undefined;
  return listAnswer({ path: "/v2/apikeys", query, page, listed, total });
}

function pathOf({ createdAt, id }: ApiKey): Path {
  return [createdAt.getTime(), id];
}

function compare([leftMs, leftId]: Path, [rightMs, rightId]: Path): number {
  if (leftMs !== rightMs) return leftMs - rightMs;
  if (leftId === rightId) return 0;
  return leftId < rightId ? -1 : 1;
}

export function listApikeys(ports: AfterPorts & Pick<RoutePorts, "apiKeys" | "cursors">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/apikeys",
    operationId: "listApikeys",
    summary: "Lists the account's active keys, without their values.",
    tags: ["apikeys"],
    answers: { 200: { description: "A page of keys.", schema: keysAnswer, example: keysExample } },
    auth: "basic",
    scope: "apikeys:read",
    rateClass: "read",
    query,
    handler: async ({ query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listKeys(input, caller.account, ports);
    },
  });
}
