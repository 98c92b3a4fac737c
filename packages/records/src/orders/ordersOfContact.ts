import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";
import type { ShownOrder } from "./orderReads.ts";

const statement = {
  name: "orders_of_contact",
  text: `SELECT order_id AS "orderId" FROM orders WHERE account = $1 AND contact = $2 ORDER BY order_id LIMIT $3`,
};

const countStatement = {
  name: "orders_of_contact_count",
  text: "SELECT count(*) AS count FROM orders WHERE account = $1 AND contact = $2",
};

/** Counts the orders of a contact. */
export async function countOrdersOfContact(
  session: Session,
  { account, contact }: { readonly account: number; readonly contact: number },
): Promise<number> {
  const [row] = await session.query<{ count: number }>(countStatement, [account, contact]);
  return row?.count ?? 0;
}

/** Ids of a contact's orders, in order. */
export async function orderIdsOfContact(
  session: Session,
  { account, contact }: { readonly account: number; readonly contact: number },
  rowsMax: number,
): Promise<string[]> {
  const rows = await session.query<{ orderId: string }>(statement, [account, contact, rowsMax]);
  return rows.map(({ orderId }) => orderId);
}

export interface NewestAsked {
  readonly account: number;
  /** Numbers of live contacts. */
  readonly contacts: readonly number[];
  /** Bounds for each contact. */
  readonly rowsMax: number;
  readonly bytesMax: number;
}

const newestStatement = {
  name: "orders_newest_of_contacts",
  text: `SELECT k.contact, n."orderId", n."purchasedAt", n.doc, c.cid
    FROM unnest($2::bigint[]) AS k (contact) JOIN contacts c ON c.account = $1 AND c.number = k.contact
    CROSS JOIN LATERAL (
      SELECT o.*, sum(octet_length(o.doc)) OVER (ORDER BY o."purchasedAt" DESC, o."orderId" DESC) AS bytes FROM (
        SELECT order_id AS "orderId", purchased_at AS "purchasedAt", doc FROM orders
        WHERE account = $1 AND contact = k.contact AND NOT deleted ORDER BY purchased_at DESC, order_id DESC LIMIT $3
      ) o
    ) n WHERE n.bytes <= $4::bigint ORDER BY k.contact, n."purchasedAt" DESC, n."orderId" DESC`,
};

/** Returns the newest orders of each contact, those first. What is past the bounds is left out. */
export function newestOrdersOf(
  session: Session,
  { account, contacts, rowsMax, bytesMax }: NewestAsked,
): Promise<(ShownOrder & { readonly contact: number })[]> {
  return session.query(newestStatement, [account, plainArray(contacts, (one) => one), rowsMax, bytesMax]);
}
