import { type Json, timeOfVersion, type Version } from "@headwater/contracts";
import { type ProductObservation, rankOf } from "./product.ts";

/** Members of items that are their product's, by the name the product has for them. What is the line's own is left out. */
const memberNames: readonly (readonly [item: string, product: string])[] = [
  ["name", "productName"],
  ["itemPrice", "price"],
  ...[
    ...["manufacturerName", "category", "description", "productType", "UPCCode", "url"],
    ...["images", "tags", "inStock", "taxable", "enabled"],
  ].map((name) => [name, name] as const),
];
const PRODUCT_TYPES: ReadonlySet<unknown> = new Set(["physical", "digital", "subscription", "event"]);

export interface SeenOrder {
  readonly version: Version;
  /** Milliseconds since 1970. */
  readonly purchasedAt: number;
  readonly order: { readonly items?: unknown };
}

/** An order says what its products were when it was bought, however late it is written or changed. */
export function observationsOfOrder({ version, purchasedAt, order }: SeenOrder): ProductObservation[] {
  return observations(order.items, rankOf("ordered", purchasedAt, version));
}

export interface SeenCart {
  readonly version: Version;
  readonly cart: { readonly items?: unknown };
}

export function observationsOfCart({ version, cart }: SeenCart): ProductObservation[] {
  return observations(cart.items, rankOf("carted", timeOfVersion(version), version));
}

function observations(items: unknown, rank: string): ProductObservation[] {
  const list: readonly unknown[] = Array.isArray(items) ? items : [];
  return list.flatMap((item) => {
    if (!isItem(item)) return [];
    const { productID: productId, sku, attr = null } = item;
    return [{ productId, rank, sku: typeof sku === "string" ? sku : "", attr, members: membersOf(item) }];
  });
}

type Item = { readonly [name: string]: Json | undefined } & { readonly productID: string };

function isItem(item: unknown): item is Item {
  return typeof item === "object" && item !== null && "productID" in item && typeof item.productID === "string";
}

function membersOf(item: Item): ProductObservation["members"] {
  const members: Record<string, Json> = {};
  for (const [name, ofProduct] of memberNames) {
    const value = item[name];
    if (value === undefined || value === null) continue;
    if (name === "productType" && !PRODUCT_TYPES.has(value)) continue;
    members[ofProduct] = value;
  }
  return members;
}
