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
import { countTransports, pageTransports } from "../transports.ts";
import { TRANSPORT_MEMBERS, transportExample, transportRecord, transportShape } from "../transportView.ts";

const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["ct", "name"]).optional(),
  channel: storableText(1_024).optional(),
});
type TransportsQuery = z.output<typeof query>;

const cursorKey = z.strictObject({
  ct: z.number().int(),
  name: storableText(1_024),
  id: storableText(1_024),
});

const transportsAnswer = pageOf(transportShape.partial());

const transportsExample = {
  data: [transportExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

/** Transports by time of creation, or by name. */
async function listTransportsOf(
  query: TransportsQuery,
  { number: account }: Account,
  { postgres, cursors, sealer }: Pick<RoutePorts, "postgres" | "cursors" | "sealer">,
): Promise<Answer> {
  const sortBy = query.sort_by ?? "ct";
  const page = readPage(query, { list: `transports by ${sortBy}`, key: cursorKey, direction: "asc", account, cursors });
  const pick = pickFields(query.fields, TRANSPORT_MEMBERS);
  const { after, direction, skip, perPage } = page;
  const filters = { account, ...(query.channel !== undefined && { channel: query.channel }) };
  const bounds = { ...filters, sortBy, direction, skip, rowsMax: perPage + 1, ...(after && { after }) };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageTransports(session, bounds),
    count: (session) => countTransports(session, filters),
  });
  const cut = cutPage(rows, page, ({ createdAt, name, id }) => ({ ct: createdAt, name, id }));
  const listed = { rows: cut.rows.map((row) => pick(transportRecord(row, sealer))), nextCursor: cut.nextCursor };
  return listAnswer({ path: "/v2/transports", query, page, listed, total });
}

export function listTransports(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres" | "sealer">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/transports",
    operationId: "listTransports",
    summary: "Lists transports in order of creation.",
    tags: ["transports"],
    answers: { 200: { description: "A page of transports.", schema: transportsAnswer, example: transportsExample } },
    auth: "basic",
    scope: "transports:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listTransportsOf(given, caller.account, ports);
    },
  });
}
