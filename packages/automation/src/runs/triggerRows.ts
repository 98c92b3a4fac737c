import { timeOfVersion, type Version, versionFromUuid } from "@headwater/contracts";
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
  /** JSON text of the fact, with the version of the cart. */
  readonly fact: string;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

/** A cart that was written. */
export interface CartVersion {
  readonly account: number;
  readonly contact: number;
  readonly version: Version;
}

const ordersStatement = {
  name: "orchestration_orders_insert",
  text: `INSERT INTO orchestration_orders (account, orchestration, order_id, contact)
    SELECT DISTINCT ON (1, 2, 3) * FROM unnest($1::int[], $2::text[], $3::text[], $4::bigint[]) ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING RETURNING account, orchestration, order_id AS "orderId", contact`,
};
const deleteCartsStatement = {
  name: "orchestration_carts_delete",
  text: `DELETE FROM orchestration_carts c USING unnest($1::int[], $2::bigint[], $3::text[]) AS k (account, contact, version)
    WHERE (c.account, c.contact) = (k.account, k.contact) AND (c.fact::json ->> 'version') COLLATE "C" < k.version COLLATE "C"`,
};
const cartsStatement = {
  name: "orchestration_carts_store",
  text: `INSERT INTO orchestration_carts (account, orchestration, contact, fact, due_at)
    SELECT * FROM unnest($1::int[], $2::text[], $3::bigint[], $4::text[], $5::bigint[]) ORDER BY 1, 2, 3
    ON CONFLICT (account, orchestration, contact) DO UPDATE SET fact = EXCLUDED.fact, due_at = EXCLUDED.due_at
    WHERE (orchestration_carts.fact::json ->> 'version') COLLATE "C" <= (EXCLUDED.fact::json ->> 'version') COLLATE "C"`,
};
const dueCartsStatement = {
  name: "orchestration_carts_take",
  text: `DELETE FROM orchestration_carts c USING (SELECT account, orchestration, contact FROM orchestration_carts
      WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED) k
    WHERE (c.account, c.orchestration, c.contact) = (k.account, k.orchestration, k.contact)
    RETURNING c.account, c.orchestration, c.contact, c.fact, c.due_at AS "dueAt"`,
};
const dueBeforeStatement = {
  name: "orchestration_carts_take_due_before",
  text: `DELETE FROM orchestration_carts c USING unnest($1::int[], $2::bigint[], $3::text[], $4::bigint[]) AS k (account, contact, version, at)
    WHERE (c.account, c.contact) = (k.account, k.contact) AND c.due_at < k.at AND (c.fact::json ->> 'version') COLLATE "C" < k.version COLLATE "C"
    RETURNING c.account, c.orchestration, c.contact, c.fact, c.due_at AS "dueAt"`,
};
const versionsStatement = {
  name: "orchestration_carts_versions",
  text: `SELECT account, contact, version FROM unnest($1::int[], $2::bigint[]) AS k (account, contact) JOIN carts USING (account, contact)`,
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

/** Stores carts that changed, in place of older versions of theirs: a change that comes again, or late, takes nothing away. */
export async function storeCarts(
  transaction: Transaction,
  changed: readonly CartVersion[],
  carts: readonly IdleCart[],
): Promise<void> {
  if (changed.length === 0) return;
  await transaction.execute(deleteCartsStatement, [
    plainArray(changed, ({ account }) => account),
    plainArray(changed, ({ contact }) => contact),
    textArray(changed, ({ version }) => version),
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

/** Takes carts away that were due before they changed. @param changed with the versions of the changes, one of each contact. */
export function takeCartsDueBefore(transaction: Transaction, changed: readonly CartVersion[]): Promise<IdleCart[]> {
  return transaction.query(dueBeforeStatement, [
    plainArray(changed, ({ account }) => account),
    plainArray(changed, ({ contact }) => contact),
    textArray(changed, ({ version }) => version),
    plainArray(changed, ({ version }) => timeOfVersion(version)),
  ]);
}

/** Returns the versions of carts as they are stored now. A contact without a cart has none. */
export async function readCartVersions(
  session: Session,
  contacts: readonly Omit<CartVersion, "version">[],
): Promise<CartVersion[]> {
  const rows = await session.query<CartVersion>(versionsStatement, [
    plainArray(contacts, ({ account }) => account),
    plainArray(contacts, ({ contact }) => contact),
  ]);
  return rows.map((row) => ({ ...row, version: versionFromUuid(row.version) }));
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
