import { type Conditions, createConditions } from "@headwater/postgres/connection/conditions";
import { type BoundedRows, boundPage, rowsWithinBound } from "@headwater/postgres/connection/documentBound";
import type { Session, Statement } from "@headwater/postgres/connection/session";
import type { StoredOrder } from "./orders.ts";

/** An order with the cid of its live contact. */
export interface OrderView extends StoredOrder {
  readonly cid: string;
}

/** Columns of an order that its answer shows. */
export type ShownOrder = Pick<OrderView, "orderId" | "purchasedAt" | "doc" | "cid">;

export interface OrderFilters {
  readonly account: number;
  /** Number of the contact. */
  readonly contact?: number;
  /** Milliseconds since 1970: from included, to excluded. */
  readonly from?: number;
  readonly to?: number;
}

export interface OrdersPage extends OrderFilters {
  /** Default `purchaseDate`. */
  readonly sortBy?: "purchaseDate" | "orderID";
  readonly direction: "asc" | "desc";
  /** The last one of the page before. */
  readonly after?: { readonly purchasedAt: number; readonly orderId: string };
  readonly skip?: number;
  readonly rowsMax: number;
  /** Limit of the documents together. */
  readonly bytesMax: number;
}

const COLUMNS = `o.account, o.order_id AS "orderId", o.contact, o.purchased_at AS "purchasedAt", o.version, o.doc, c.cid`;
/** A page has hundreds of rows: what no answer shows is not asked for. */
const VIEW = `o.order_id AS "orderId", o.purchased_at AS "purchasedAt", o.doc, c.cid`;
const DISPLAYED_NAMES = `"orderId", "purchasedAt", cid`;
const JOINED = "orders o JOIN contacts c ON c.account = o.account AND c.number = o.contact";
const oneStatement: Statement = {
  name: "order_read",
  isLookup: true,
  text: `SELECT ${COLUMNS} FROM ${JOINED} WHERE o.account = $1 AND o.order_id = $2 AND NOT o.deleted`,
};

export async function readOrder(session: Session, account: number, orderId: string): Promise<OrderView | undefined> {
  const [row] = await session.query<Omit<OrderView, "mergedFrom" | "deleted">>(oneStatement, [account, orderId]);
  return row;
}

type MeasuredOrder = Omit<ShownOrder, "doc"> & { readonly doc: string | null };

/**
 * Returns a page in order of (time of purchase, order id), or of order id alone; it ends before the first order that would pass the
 * limit of bytes.
 */
export async function pageOrders(session: Session, page: OrdersPage): Promise<BoundedRows<ShownOrder>> {
  const where = conditions(page);
  const sorted = page.sortBy === "orderID" ? ["o.order_id"] : ["o.purchased_at", "o.order_id"];
  const order = sorted.map((column) => `${column} ${page.direction === "asc" ? "ASC" : "DESC"}`);
  if (page.after !== undefined) {
    const { purchasedAt, orderId } = page.after;
    const last = (page.sortBy === "orderID" ? [orderId] : [purchasedAt, orderId]).map((value) => where.bind(value));
    where.add(`(${sorted}) ${page.direction === "asc" ? ">" : "<"} (${last})`);
  }
  const limit = where.bind(page.rowsMax);
  const offset = where.bind(page.skip ?? 0);
  const rows = `SELECT ${VIEW} FROM ${JOINED} WHERE ${where.text()} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  const text = boundPage(rows, DISPLAYED_NAMES, where.bind(page.bytesMax));
  return rowsWithinBound<ShownOrder>(await session.query<MeasuredOrder>({ name: nameOf(page), text }, where.values));
}

/** The text is the same for the same filters, and a connection reads a named one once: a page is a sixth cheaper in Postgres. */
function nameOf({ sortBy = "purchaseDate", direction, after, contact, from, to }: OrdersPage): string {
  const input = Object.entries({ after, contact, from, to }).filter(([, value]) => value !== undefined);
  return ["orders_page", sortBy, direction, ...input.map(([name]) => name)].join("_");
}

export async function countOrders(session: Session, filters: OrderFilters): Promise<number> {
  const where = conditions(filters);
  const [row] = await session.query<{ count: number }>(
    { text: `SELECT count(*) AS count FROM orders o WHERE ${where.text()}` },
    where.values,
  );
  return row?.count ?? 0;
}

function conditions({ account, contact, from, to }: OrderFilters): Conditions {
  const where = createConditions();
  where.add(`o.account = ${where.bind(account)} AND NOT o.deleted`);
  if (contact !== undefined) where.add(`o.contact = ${where.bind(contact)}`);
  if (from !== undefined) where.add(`o.purchased_at >= ${where.bind(from)}`);
  if (to !== undefined) where.add(`o.purchased_at < ${where.bind(to)}`);
  return where;
}
