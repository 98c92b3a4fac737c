import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countOrders, type OrderFilters, pageOrders, type ShownOrder } from "@headwater/stores";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import { readTimeRange } from "../../paging/timeRange.ts";
import type { ServicePorts } from "../../ports.ts";
import { findFiltered } from "../../views/findContact.ts";
import { ORDER_MEMBERS, orderRecord } from "../../views/orderView.ts";
import { cursorKey, type OrdersQuery } from "./schema.ts";

const LIST = "orders";

/** Orders by time of purchase, or by id; the latest, or the last, first unless `sort_dir=asc`. */
export async function listOrdersOf(query: OrdersQuery, account: Account, { postgres }: ServicePorts): Promise<Answer> {
  const sortBy = query.sort_by ?? "purchaseDate";
  const list = `${LIST} by ${sortBy}`;
  const page = readPage(query, { list, key: cursorKey, direction: "desc" });
  const pick = pickFields(query.fields, ORDER_MEMBERS);
  const range = readTimeRange(query, "purchaseDate", account.settings.timezone);
  const contact = await findFiltered(postgres, account, query);
  const filters: OrderFilters = {
    account: account.number,
    ...range,
    ...(typeof contact === "object" && { contact: contact.number }),
  };
  const { after, direction, skip, perPage } = page;
  const bounds = { direction, skip, rowsMax: perPage + 1 };
  const isNobody = contact === "none";
  const rows = isNobody ? [] : await pageOrders(postgres, { ...filters, sortBy, ...bounds, ...(after && { after }) });
  const total = query.return_count === "true" && !isNobody ? await countOrders(postgres, filters) : 0;
  const keyOf = ({ purchasedAt, orderId }: ShownOrder) => ({ purchasedAt, orderId });
  const { rows: kept, nextCursor } = cutPage(rows, page, { list, keyOf });
  const listed = { rows: kept.map((row) => pick(orderRecord(row, account.settings))), nextCursor };
  return listAnswer({
    path: "/v2/orders",
    query,
    page,
    listed,
    total: query.return_count === "true" ? total : undefined,
  });
}
