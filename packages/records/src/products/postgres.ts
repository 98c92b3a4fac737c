import { jsonTexts, plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { createResourceTable, type ResourceTable, type RowOf } from "@headwater/postgres/connection/resourceTable";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { emptyProduct, toProductDocument } from "./product.ts";

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
  const [created, products] = await Promise.all([
    transaction.query<ProductKey>(createStatement, [...arraysOf(keys), nowMs]),
    transaction.query<StoredProduct>(lockStatement, arraysOf(keys)),
  ]);
  return { products, made: created };
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

/** Statements of products that exist, but for their deletion. */
export const productTable = createResourceTable({
  name: "products",
  key: "productID",
  members: { doc: "text" },
  columns: { productID: "product_id", updatedAt: "modified_at" },
  where: "deleted_at IS NULL",
  large: "doc",
});
/** Its row stays, empty: what was written before it does not bring the product back. */
const deleteStatement = {
  name: "products_delete",
  text: "UPDATE products SET doc = $3, modified_at = $4, deleted_at = $4 WHERE account = $1 AND product_id = $2",
};

/** A product that exists. */
export type ProductRow = RowOf<typeof productTable>;

/** Products that exist, in order of (time of creation, id) or of id alone. */
export const products: ResourceTable<ProductRow, { readonly doc: string }> = {
  ...productTable,
  async delete(transaction, { account, key }, nowMs) {
    await transaction.execute(deleteStatement, [account, key, toProductDocument(emptyProduct()), nowMs]);
  },
};
