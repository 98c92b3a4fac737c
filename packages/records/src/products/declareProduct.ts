import { declareMembers, emptyProduct, parseProduct, toProductDocument } from "./product.ts";
import type { StoredProduct } from "./products.ts";
import type { toStored } from "./storedProduct.ts";

export interface Declaration {
  readonly members: ReturnType<typeof toStored>;
  readonly nowMs: number;
}

/** The row with what is declared; undefined when all of it was so already. One that was deleted begins anew. */
export function declareProduct(row: StoredProduct, { members, nowMs }: Declaration): StoredProduct | undefined {
  const isGone = row.deletedAt !== null;
  const product = isGone ? emptyProduct() : parseProduct(row.doc);
  if (!declareMembers(product, members, nowMs)) return undefined;
  const createdAt = isGone ? nowMs : row.createdAt;
  return { ...row, doc: toProductDocument(product), createdAt, modifiedAt: nowMs, deletedAt: null };
}
