import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import type { ApiKey } from "@headwater/stores/accounts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { API_KEY_MEMBERS, apiKeyRecord } from "../apiKeyView.ts";
import { cursorKey, type KeysQuery } from "./schema.ts";

const LIST = "apikeys";
type Place = readonly [number, string];

/** Keys in the order they were made. An account has so few that they are read at once. */
export async function listKeys(
  query: KeysQuery,
  account: Account,
  { apiKeys, cursors }: Pick<ServicePorts, "apiKeys" | "cursors">,
): Promise<Answer> {
  const page = readPage<Place>(query, {
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
    .toSorted((one, other) => sign * compare(placeOf(one), placeOf(other)))
    .filter((key) => after === undefined || sign * compare(placeOf(key), after) > 0)
    .slice(page.skip, page.skip + page.perPage + 1);
  const { rows, nextCursor } = cutPage(rest, page, placeOf);
  const listed = { rows: rows.map((key) => pick(apiKeyRecord(key))), nextCursor };
  const total = query.return_count === "true" ? keys.length : undefined;
  return listAnswer({ path: "/v2/apikeys", query, page, listed, total });
}

function placeOf({ createdAt, id }: ApiKey): Place {
  return [createdAt.getTime(), id];
}

function compare([leftMs, leftId]: Place, [rightMs, rightId]: Place): number {
  if (leftMs !== rightMs) return leftMs - rightMs;
  if (leftId === rightId) return 0;
  return leftId < rightId ? -1 : 1;
}
