import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutBoundedPage, readPage } from "@headwater/api/paging/page";
import { expectWholePage, PAGE_BYTES_MAX, PAGE_BYTES_NOTE } from "@headwater/api/paging/pageBytes";
import { bound, listQuery, storableText } from "@headwater/api/paging/query";
import { readTimeRange } from "@headwater/api/paging/timeRange";
import type { AfterPorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import type { BoundedRows } from "@headwater/postgres/connection/documentBound";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { findFiltered } from "../../contacts/findContact.ts";
import type { RoutePorts } from "../../ports.ts";
import { countOrders, type OrderFilters, pageOrders, type ShownOrder } from "../orderReads.ts";
import { ORDER_MEMBERS, orderRecord } from "../orderRecord.ts";
import { orderAnswer, orderExample } from "../orderSchema.ts";

const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["purchaseDate", "orderID"]).optional(),
  cID: storableText(512).optional(),
  email: storableText(512).optional(),
  purchaseDate: bound,
  "purchaseDate[gt]": bound,
  "purchaseDate[gte]": bound,
  "purchaseDate[lt]": bound,
  "purchaseDate[lte]": bound,
});
type OrdersQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({ purchasedAt: z.number().int(), orderId: storableText(1_024) });

const ordersAnswer = pageOf(orderAnswer.partial());

const ordersExample = {
  data: [orderExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

const LIST = "orders";

/** Orders by time of purchase, or by id; the latest, or the last, first unless `sort_dir=asc`. */
async function listOrdersOf(
  query: OrdersQuery,
  account: Account,
  { postgres, cursors }: Pick<RoutePorts, "cursors" | "postgres">,
): Promise<Answer> {
  const sortBy = query.sort_by ?? "purchaseDate";
  const list = `${LIST} by ${sortBy}`;
  const page = readPage(query, { list, key: cursorKey, direction: "desc", account: account.number, cursors });
  const pick = pickFields(query.fields, ORDER_MEMBERS);
  const range = readTimeRange(query, "purchaseDate", account.settings.timezone);
  const { after, direction, skip, perPage } = page;
  const bounds = {
    ...{ sortBy, direction, skip, rowsMax: perPage + 1, bytesMax: PAGE_BYTES_MAX },
    ...(after && { after }),
  };
  const read = (session: Session) => readOrders(session, { query, account, range, bounds });
  const { bounded, total } = await (isOneStatement(query) ? read(postgres) : withSnapshot(postgres, read));
  expectWholePage(query, bounded, perPage);
  const keyOf = ({ purchasedAt, orderId }: ShownOrder) => ({ purchasedAt, orderId });
  const { rows, nextCursor } = cutBoundedPage(bounded, page, keyOf);
  const view = await runInSlices(mapInSteps(rows, (row) => pick(orderRecord(row, account.settings))));
  const listed = { rows: view, nextCursor };
  return listAnswer({ path: "/v2/orders", query, page, listed, total });
}

function isOneStatement({ cID, email, return_count }: OrdersQuery): boolean {
  return cID === undefined && email === undefined && return_count !== "true";
}

interface Reading {
  readonly query: OrdersQuery;
  readonly account: Account;
  readonly range: Pick<OrderFilters, "from" | "to">;
  readonly bounds: Omit<Parameters<typeof pageOrders>[1], keyof OrderFilters>;
}

interface OrdersRead {
  readonly bounded: BoundedRows<ShownOrder>;
  readonly total: number | undefined;
}

async function readOrders(session: Session, { query, account, range, bounds }: Reading): Promise<OrdersRead> {
  const isCounted = query.return_count === "true";
  const contact = await findFiltered(session, account, query);
  if (contact === "none") return { bounded: { rows: [], isCut: false }, total: isCounted ? 0 : undefined };
  const of = { account: account.number, ...range, ...(contact !== "all" && { contact: contact.number }) };
  const [bounded, total] = await Promise.all([
    pageOrders(session, { ...of, ...bounds }),
    isCounted ? countOrders(session, of) : undefined,
  ]);
  return { bounded, total };
}

export function listOrders(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/orders",
    operationId: "listOrders",
    summary: "Lists orders, filtered by contact and time of purchase.",
    description: PAGE_BYTES_NOTE,
    tags: ["orders"],
    answers: { 200: { description: "A page of orders.", schema: ordersAnswer, example: ordersExample } },
    auth: "basic",
    scope: "orders:read",
    rateClass: "read",
    query,
    handler: async ({ query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listOrdersOf(input, caller.account, ports);
    },
  });
}
