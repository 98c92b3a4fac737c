import { type Json, toTimestamp } from "@headwater/contracts";
import { parseProduct, shownProductMembers } from "@headwater/domain/product";
import type { StoredProduct } from "@headwater/stores/products";
import { decimalNumber } from "../answers/rawJson.ts";
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
export function productRecord({ productId, doc, createdAt, modifiedAt }: StoredProduct): Record<string, unknown> {
  const members = shownProductMembers(parseProduct(doc));
  const { price, sale, variants } = members;
  return {
    productID: productId,
    ...members,
    ...(price !== undefined && { price: decimalNumber(price) }),
    ...(isObject(sale) && { sale: { ...sale, ...(sale.price !== undefined && { price: decimalNumber(sale.price) }) } }),
    enabled: members.enabled ?? false,
    totalQty: totalOf(variants),
    ct: toTimestamp(createdAt),
    lm: toTimestamp(modifiedAt),
  };
}

/** Adds up the stock of the variants that state one. */
function totalOf(variants: Json | undefined): number {
  const list: readonly Json[] = Array.isArray(variants) ? variants : [];
  return list.reduce<number>((sum, one) => sum + (isObject(one) && typeof one.qty === "number" ? one.qty : 0), 0);
}

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
