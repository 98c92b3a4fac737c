import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import { countOrders, type OrderFilters, pageOrders, type ShownOrder } from "@headwater/stores/orders";
import type { BoundedRows, Session } from "@headwater/stores/postgres";
import { findFiltered } from "../../contacts/findContact.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutBoundedPage, readPage } from "../../paging/page.ts";
import { expectWholePage, PAGE_BYTES_MAX } from "../../paging/pageBytes.ts";
import { readTimeRange } from "../../paging/timeRange.ts";
import type { ServicePorts } from "../../ports.ts";
import { withSnapshot } from "../../reading/withSnapshot.ts";
import { ORDER_MEMBERS, orderRecord } from "../orderView.ts";
import { cursorKey, type OrdersQuery } from "./schema.ts";

const LIST = "orders";

/** Orders by time of purchase, or by id; the latest, or the last, first unless `sort_dir=asc`. */
export async function listOrdersOf(
  query: OrdersQuery,
  account: Account,
  { postgres, cursors }: Pick<ServicePorts, "cursors" | "postgres">,
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
  const shown = await runInSlices(mapInSteps(rows, (row) => pick(orderRecord(row, account.settings))));
  const listed = { rows: shown, nextCursor };
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
