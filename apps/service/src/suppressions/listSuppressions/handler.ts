import { type Account, usualChannels } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countSuppressions, pageSuppressions } from "@headwater/stores/suppressions";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { addressIn, SUPPRESSION_MEMBERS, suppressionRecord } from "../suppressionView.ts";
import { cursorKey, type SuppressionsQuery } from "./schema.ts";

/** Suppressions by time of creation. An address that no channel asked for can have is in none of them. */
export async function listSuppressionsOf(
  query: SuppressionsQuery,
  account: Account,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const { number } = account;
  const page = readPage(query, { list: "suppressions", key: cursorKey, direction: "desc", account: number, cursors });
  const pick = pickFields(query.fields, SUPPRESSION_MEMBERS);
  const filters = filtersOf(query, account);
  const { after, direction, skip, perPage } = page;
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) =>
      pageSuppressions(session, { ...filters, direction, skip, rowsMax: perPage + 1, ...(after && { after }) }),
    count: (session) => countSuppressions(session, filters),
  });
  const cut = cutPage(rows, page, ({ createdAt, id }) => ({ createdAt, id }));
  const listed = { rows: cut.rows.map((row) => pick(suppressionRecord(row))), nextCursor: cut.nextCursor };
  return listAnswer({ path: "/v2/suppressions", query, page, listed, total });
}

/** Returns the filters of a query. Without a channel an address is looked for in the usual ones, for its canonical form depends on the channel. */
function filtersOf({ channel, reason, address }: SuppressionsQuery, account: Account) {
  const shared = { account: account.number, ...(channel && { channel }), ...(reason && { reason }) };
  if (address === undefined) return shared;
  const addresses = (channel === undefined ? usualChannels : [channel]).flatMap((one) => {
    const canonical = addressIn(account, one, address);
    return canonical === undefined ? [] : [{ channel: one, address: canonical }];
  });
  return { ...shared, addresses };
}
