import { type Json, toTimestamp } from "@headwater/contracts";
import type { ProductRow } from "../products/postgres.ts";
import { membersView, parseProduct } from "../products/product.ts";
import { type WriteDigits, withDigits } from "./writtenDigits.ts";

/** A product as answers show it. */
export function productView(
  { productID, doc, createdAt, updatedAt }: ProductRow,
  writeDigits: WriteDigits,
): Record<string, Json> {
  const members = membersView(parseProduct(doc));
  const { sale, variants } = members;
  return {
    productID,
    ...withDigits(members, ["price"], writeDigits),
    ...(isObject(sale) && { sale: withDigits(sale, ["price"], writeDigits) }),
    enabled: members.enabled ?? false,
    totalQty: totalOf(variants),
    ct: toTimestamp(createdAt),
    lm: toTimestamp(updatedAt),
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
