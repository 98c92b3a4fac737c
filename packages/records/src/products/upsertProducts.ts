import type { Account, ProductBody } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { lockProducts, type StoredProduct, saveProducts } from "./postgres.ts";
import { declareMembers, emptyProduct, type Product, parseProduct, toProductDocument } from "./product.ts";
import { toStored } from "./storedProduct.ts";

interface Declaration {
  readonly members: ReturnType<typeof toStored>;
  readonly nowMs: number;
}

/** Returns the document of a product with what is declared; undefined when all of it was so already. */
export function declareIn(product: Product, { members, nowMs }: Declaration): string | undefined {
  return declareMembers(product, members, nowMs) ? toProductDocument(product) : undefined;
}

/** The row with what is declared; undefined when all of it was so already. One that was deleted begins again without members. */
function declareProduct(row: StoredProduct, declaration: Declaration): StoredProduct | undefined {
  const isGone = row.deletedAt !== null;
  const doc = declareIn(isGone ? emptyProduct() : parseProduct(row.doc), declaration);
  if (doc === undefined) return undefined;
  const { nowMs } = declaration;
  return { ...row, doc, createdAt: isGone ? nowMs : row.createdAt, modifiedAt: nowMs, deletedAt: null };
}

export interface UpsertedProduct {
  readonly productID: string;
  readonly status: "created" | "updated";
  /** It said so already. */
  readonly isUnchanged: boolean;
}

export interface ProductsUpsert {
  readonly account: Account;
  readonly products: readonly ProductBody[];
  readonly nowMs: number;
}

/**
 * Writes products in the caller's transaction, in the order given: one that stands twice is made by the first and changed by the second.
 * @throws what `isWriteConflict` knows when another transaction was quicker.
 */
export async function upsertProducts(
  transaction: Transaction,
  { account: { number: account, settings }, products, nowMs }: ProductsUpsert,
): Promise<UpsertedProduct[]> {
  const keys = [...new Set(products.map(({ productID }) => productID))].map((productId) => ({ account, productId }));
  const locked = await lockProducts(transaction, keys, nowMs);
  const rows = new Map(locked.products.map((row) => [row.productId, row]));
  const isNew = new Set(locked.made.map(({ productId }) => productId));
  for (const { productId, deletedAt } of locked.products) if (deletedAt !== null) isNew.add(productId);
  const changed = new Map<string, StoredProduct>();
  const items = products.map(({ productID, ...members }): UpsertedProduct => {
    const row = rows.get(productID);
    if (row === undefined) throw new Error("every product that is asked for is locked");
    const written = declareProduct(row, { members: toStored(members, settings.timezone), nowMs });
    if (written !== undefined) changed.set(productID, written);
    rows.set(productID, written ?? row);
    const status = isNew.delete(productID) ? "created" : "updated";
    return { productID, status, isUnchanged: written === undefined };
  });
  await saveProducts(transaction, [...changed.values()]);
  return items;
}
