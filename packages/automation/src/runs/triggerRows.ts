import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** An order as a trigger of an orchestration meets it. */
export interface OrderKey {
  readonly account: number;
  readonly orchestration: string;
  readonly orderId: string;
  readonly contact: number;
}

/** A cart that starts a run unless it changes before it is due. */
export interface IdleCart {
  readonly account: number;
  readonly orchestration: string;
  readonly contact: number;
  /** JSON text of the fact. */
  readonly fact: string;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

const ordersStatement = {
  name: "orchestration_orders_insert",
  text: `INSERT INTO orchestration_orders (account, orchestration, order_id, contact)
    SELECT DISTINCT ON (1, 2, 3) * FROM unnest($1::int[], $2::text[], $3::text[], $4::bigint[]) ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING RETURNING account, orchestration, order_id AS "orderId", contact`,
};
const deleteCartsStatement = {
  name: "orchestration_carts_delete",
  text: `DELETE FROM orchestration_carts c USING unnest($1::int[], $2::bigint[]) AS k (account, contact)
    WHERE (c.account, c.contact) = (k.account, k.contact)`,
};
const cartsStatement = {
  name: "orchestration_carts_store",
  text: `INSERT INTO orchestration_carts (account, orchestration, contact, fact, due_at)
    SELECT * FROM unnest($1::int[], $2::text[], $3::bigint[], $4::text[], $5::bigint[]) ORDER BY 1, 2, 3
    ON CONFLICT (account, orchestration, contact) DO UPDATE SET fact = EXCLUDED.fact, due_at = EXCLUDED.due_at`,
};
const dueCartsStatement = {
  name: "orchestration_carts_take",
  text: `DELETE FROM orchestration_carts c USING (SELECT account, orchestration, contact FROM orchestration_carts
      WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED) k
    WHERE (c.account, c.orchestration, c.contact) = (k.account, k.orchestration, k.contact)
    RETURNING c.account, c.orchestration, c.contact, c.fact, c.due_at AS "dueAt"`,
};
const listsStatement = {
  name: "orchestration_lists",
  text: `SELECT l.account, l.id, l.name FROM unnest($1::int[], $2::int[]) AS k (account, id)
    JOIN lists l ON (l.account, l.id) = (k.account, k.id)`,
};

/** Notes orders that meet a trigger. @returns those that meet it for the first time. */
export function insertOrders(transaction: Transaction, orders: readonly OrderKey[]): Promise<OrderKey[]> {
  if (orders.length === 0) return Promise.resolve([]);
  return transaction.query(ordersStatement, [
    plainArray(orders, ({ account }) => account),
    textArray(orders, ({ orchestration }) => orchestration),
    textArray(orders, ({ orderId }) => orderId),
    plainArray(orders, ({ contact }) => contact),
  ]);
}

/** Stores carts of contacts that changed, in place of what was stored of these contacts. */
export async function storeCarts(
  transaction: Transaction,
  changed: readonly { readonly account: number; readonly contact: number }[],
  carts: readonly IdleCart[],
): Promise<void> {
  if (changed.length === 0) return;
  await transaction.execute(deleteCartsStatement, [
    plainArray(changed, ({ account }) => account),
    plainArray(changed, ({ contact }) => contact),
  ]);
  if (carts.length === 0) return;
  await transaction.execute(cartsStatement, [
    plainArray(carts, ({ account }) => account),
    textArray(carts, ({ orchestration }) => orchestration),
    plainArray(carts, ({ contact }) => contact),
    textArray(carts, ({ fact }) => fact),
    plainArray(carts, ({ dueAt }) => dueAt),
  ]);
}

/** Takes carts away that are due by an instant and that nobody else takes. */
export function takeDueCarts(
  transaction: Transaction,
  { untilMs, cartsMax }: { readonly untilMs: number; readonly cartsMax: number },
): Promise<IdleCart[]> {
  return transaction.query(dueCartsStatement, [untilMs, cartsMax]);
}

/** Returns the names of lists. */
export function readListNames(
  session: Session,
  lists: readonly { readonly account: number; readonly list: number }[],
): Promise<{ account: number; id: number; name: string }[]> {
  if (lists.length === 0) return Promise.resolve([]);
  return session.query(listsStatement, [
    plainArray(lists, ({ account }) => account),
    plainArray(lists, ({ list }) => list),
  ]);
}
