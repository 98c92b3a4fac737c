import { contentVersion } from "@headwater/api/writing/ifMatch";
import { decimalNumber } from "../views/decimalNumber.ts";
import { shownProduct } from "../views/shownProduct.ts";
import { parseProduct, shownMembers } from "./product.ts";
import type { StoredProduct } from "./products.ts";

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
  return contentVersion([createdAt, shownMembers(parseProduct(doc))]);
}

/** A product as answers show it: decimals are JSON numbers written from their own digits. */
export function productRecord(product: StoredProduct): Record<string, unknown> {
  return shownProduct(product, decimalNumber);
}
