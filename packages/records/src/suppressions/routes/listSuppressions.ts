import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { type Account, defaultChannels } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { countSuppressions, pageSuppressions } from "../suppressions.ts";
import {
  addressIn,
  addressText,
  channelName,
  SUPPRESSION_MEMBERS,
  suppressionExample,
  suppressionReasons,
  suppressionRecord,
  suppressionShape,
} from "../suppressionView.ts";

const query = z.strictObject({
  ...listQuery,
  channel: channelName.optional(),
  reason: z.enum(suppressionReasons).optional(),
  address: addressText.optional().describe("Of `channel`, without it of email, sms or push."),
});
type SuppressionsQuery = z.output<typeof query>;

const cursorKey = z.strictObject({ createdAt: z.number().int(), id: storableText(64) });

const suppressionsAnswer = pageOf(suppressionShape.partial());

const suppressionsExample = {
  data: [suppressionExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

/** Suppressions by time of creation. An address that no channel asked for can have is in none of them. */
async function listSuppressionsOf(
  query: SuppressionsQuery,
  account: Account,
  { postgres, cursors }: Pick<RoutePorts, "postgres" | "cursors">,
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

/** Returns the filters of a query. Without a channel an address is searched for in the default ones, for its canonical form depends on the channel. */
function filtersOf({ channel, reason, address }: SuppressionsQuery, account: Account) {
  const shared = { account: account.number, ...(channel && { channel }), ...(reason && { reason }) };
  if (address === undefined) return shared;
  const addresses = (channel === undefined ? defaultChannels : [channel]).flatMap((one) => {
    const canonical = addressIn(account, one, address);
    return canonical === undefined ? [] : [{ channel: one, address: canonical }];
  });
  return { ...shared, addresses };
}

export function listSuppressions(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/suppressions",
    operationId: "listSuppressions",
    summary: "Lists suppressed addresses and domains, the newest first.",
    tags: ["suppressions"],
    answers: {
      200: { description: "A page of suppressions.", schema: suppressionsAnswer, example: suppressionsExample },
    },
    auth: "basic",
    scope: "suppressions:read",
    rateClass: "read",
    query,
    handler: async ({ query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listSuppressionsOf(input, caller.account, ports);
    },
  });
}
