import type { Session } from "../connection/session.ts";

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
