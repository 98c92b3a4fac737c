import { jsonTexts, plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { createConditions } from "@headwater/postgres/connection/conditions";
import { type BoundedRows, boundPage, rowsWithinBound } from "@headwater/postgres/connection/documentBound";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

export interface ProductKey {
  readonly account: number;
  readonly productId: string;
}

/** A product as stored: `doc` is the text of its document, times are milliseconds since 1970. */
export interface StoredProduct extends ProductKey {
  readonly doc: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** It is not there, but was; null otherwise. */
  readonly deletedAt: number | null;
}

const COLUMNS = `p.account, p.product_id AS "productId", p.doc, p.created_at AS "createdAt", p.modified_at AS "modifiedAt",
  p.deleted_at AS "deletedAt"`;
const KEYED = `${COLUMNS} FROM unnest($1::int[], $2::text[]) AS k (account, product_id) JOIN products p USING (account, product_id)`;
const loadStatement = { name: "products_load", text: `SELECT ${KEYED}` };
const createStatement = {
  name: "products_make",
  text: `INSERT INTO products (account, product_id, doc, created_at, modified_at)
    SELECT account, product_id, '{}', $3, $3 FROM unnest($1::int[], $2::text[]) AS k (account, product_id)
    ORDER BY account, product_id COLLATE "C" ON CONFLICT DO NOTHING RETURNING account, product_id AS "productId"`,
};
const lockStatement = {
  name: "products_lock",
  text: `SELECT ${KEYED} ORDER BY p.account, p.product_id FOR UPDATE OF p`,
};
const saveStatement = {
  name: "products_save",
  text: `UPDATE products p SET doc = r.doc, created_at = r.created_at, modified_at = r.modified_at, deleted_at = r.deleted_at
    FROM unnest($1::int[], $2::text[], string_to_array($3, E'\\x1f'), $4::bigint[], $5::bigint[], $6::bigint[])
      AS r (account, product_id, doc, created_at, modified_at, deleted_at)
    WHERE p.account = r.account AND p.product_id = r.product_id`,
};
const readStatement = {
  name: "products_read",
  text: `SELECT ${COLUMNS} FROM products p WHERE p.account = $1 AND p.product_id = $2 AND p.deleted_at IS NULL`,
};
const lockOneStatement = { name: "products_lock_one", text: `${readStatement.text} FOR UPDATE` };

/** Deleted ones too. */
export async function loadProducts(session: Session, keys: readonly ProductKey[]): Promise<StoredProduct[]> {
  return keys.length === 0 ? [] : session.query(loadStatement, arraysOf(keys));
}

/**
 * Locks products until the transaction ends, in the one order in which everybody does; missing ones are made, without members.
 * @returns them all, and which of them were made here.
 */
export async function lockProducts(
  transaction: Transaction,
  keys: readonly ProductKey[],
  nowMs: number,
): Promise<{ readonly products: readonly StoredProduct[]; readonly made: readonly ProductKey[] }> {
  if (keys.length === 0) return { products: [], made: [] };
  const [made, products] = await Promise.all([
    transaction.query<ProductKey>(createStatement, [...arraysOf(keys), nowMs]),
    transaction.query<StoredProduct>(lockStatement, arraysOf(keys)),
  ]);
  return { products, made };
}

/** Locks a product that is there. */
export async function lockKnownProduct(
  transaction: Transaction,
  { account, productId }: ProductKey,
): Promise<StoredProduct | undefined> {
  const [row] = await transaction.query<StoredProduct>(lockOneStatement, [account, productId]);
  return row;
}

/** Rows must be locked. */
export async function saveProducts(transaction: Transaction, rows: readonly StoredProduct[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(saveStatement, [
    ...arraysOf(rows),
    jsonTexts(rows, ({ doc }) => doc),
    plainArray(rows, ({ createdAt }) => createdAt),
    plainArray(rows, ({ modifiedAt }) => modifiedAt),
    plainArray(rows, ({ deletedAt }) => deletedAt),
  ]);
}

function arraysOf(keys: readonly ProductKey[]) {
  return [plainArray(keys, ({ account }) => account), textArray(keys, ({ productId }) => productId)];
}

export async function readProduct(
  session: Session,
  { account, productId }: ProductKey,
): Promise<StoredProduct | undefined> {
  const [row] = await session.query<StoredProduct>(readStatement, [account, productId]);
  return row;
}

export interface ProductsPage {
  readonly account: number;
  readonly sortBy: "ct" | "productID";
  readonly direction: "asc" | "desc";
  /** The last one of the page before. */
  readonly after?: { readonly createdAt: number; readonly productId: string };
  readonly skip: number;
  readonly rowsMax: number;
  /** Limit of the documents together. */
  readonly bytesMax: number;
  /** Products that are asked for; absent: all. */
  readonly ids?: readonly string[];
}

type MeasuredProduct = Omit<StoredProduct, "doc"> & { readonly doc: string | null };
const COLUMN_NAMES = `account, "productId", "createdAt", "modifiedAt", "deletedAt"`;

/**
 * Returns a page in order of (time of creation, id), or of id alone; it ends before the first product that would pass the limit of
 * bytes.
 */
export async function pageProducts(session: Session, page: ProductsPage): Promise<BoundedRows<StoredProduct>> {
  const where = createConditions();
  where.add(`p.account = ${where.bind(page.account)} AND p.deleted_at IS NULL`);
  if (page.ids !== undefined) where.add(`p.product_id = ANY (${where.bind(textArray(page.ids, (id) => id))}::text[])`);
  const sorted = page.sortBy === "ct" ? ["p.created_at", "p.product_id"] : ["p.product_id"];
  if (page.after !== undefined) {
    const { createdAt, productId } = page.after;
    const last = (page.sortBy === "ct" ? [createdAt, productId] : [productId]).map((value) => where.bind(value));
    where.add(`(${sorted}) ${page.direction === "asc" ? ">" : "<"} (${last})`);
  }
  const order = sorted.map((column) => `${column} ${page.direction === "asc" ? "ASC" : "DESC"}`);
  const limits = `LIMIT ${where.bind(page.rowsMax)} OFFSET ${where.bind(page.skip)}`;
  const rows = `SELECT ${COLUMNS} FROM products p WHERE ${where.text()} ORDER BY ${order} ${limits}`;
  const text = boundPage(rows, COLUMN_NAMES, where.bind(page.bytesMax));
  return rowsWithinBound<StoredProduct>(await session.query<MeasuredProduct>({ text }, where.values));
}

const countStatement = {
  name: "products_count",
  text: "SELECT count(*) AS count FROM products WHERE account = $1 AND deleted_at IS NULL",
};

export async function countProducts(session: Session, account: number): Promise<number> {
  const [row] = await session.query<{ count: number }>(countStatement, [account]);
  return row?.count ?? 0;
}
