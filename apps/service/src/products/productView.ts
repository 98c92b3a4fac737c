import { parseProduct, shownProductMembers } from "@headwater/domain/product";
import { decimalNumber, shownProduct } from "@headwater/projection";
import type { StoredProduct } from "@headwater/stores/products";
import { contentVersion } from "../writing/ifMatch.ts";

/** The members of a product that `fields` may name. */
export const PRODUCT_MEMBERS = [
  ...["productID", "productName", "variants", "productType", "price", "sale", "UPCCode", "category", "description"],
  ...[
    "manufacturerName",
    "url",
    "images",
    "tags",
    "inStock",
    "taxable",
    "enabled",
    "properties",
    "totalQty",
    "ct",
    "lm",
  ],
] as const;

/** Returns the version of a product's members, for its ETag. */
export function versionOfProduct({ doc, createdAt }: Pick<StoredProduct, "doc" | "createdAt">): string {
  return contentVersion([createdAt, shownProductMembers(parseProduct(doc))]);
}

/** A product as answers show it: decimals are JSON numbers written from their own digits. */
export function productRecord(product: StoredProduct): Record<string, unknown> {
  return shownProduct(product, decimalNumber);
}
