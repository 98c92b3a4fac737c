import { bounded, formatDecimal, type Json, timeOfVersion, timesCount, toTimestamp } from "@headwater/contracts";
import { decimalOf, exact } from "../fold/decimals.ts";
import type { Cart, CartLine } from "./cart.ts";

export interface CartView {
  readonly cartId: string;
  readonly lines: number;
  /** Milliseconds since 1970: from then on the cart reads as empty. */
  readonly expiresAt: number | undefined;
  /** Decimal text: the sum of its lines and its tax; undefined when a line has no price, or the sum is no decimal any more. */
  readonly total: string | undefined;
  /** The cart as answers show it; decimals are texts of digits here. */
  readonly document: { readonly [name: string]: Json };
}

/** The cart as it reads before it expires. */
export function viewCart(cart: Cart): CartView {
  const { members, expiresAt, lines, version } = cart;
  const total = totalOf(cart);
  const document: Record<string, Json> = { ...members };
  if (members.tax !== undefined) document.tax = exact(members.tax);
  if (expiresAt !== undefined) document.expiration = toTimestamp(expiresAt);
  document.items = lines.map(viewLine);
  if (total !== undefined) document.totalAmount = total;
  document.updatedAt = toTimestamp(timeOfVersion(version));
  const cartId = typeof members.cartID === "string" ? members.cartID : "";
  return { cartId, lines: lines.length, expiresAt, total, document };
}

function viewLine({ productID, sku, qty, members }: CartLine): Json {
  const price = decimalOf(members.itemPrice ?? null);
  const amount = price === undefined ? undefined : bounded(timesCount(price, qty));
  return {
    ...members,
    productID,
    sku,
    qty,
    ...(price !== undefined && { itemPrice: formatDecimal(price) }),
    ...(amount !== undefined && { amount: formatDecimal(amount) }),
  };
}

function totalOf({ members, lines }: Cart): string | undefined {
  let total = decimalOf(members.tax ?? null) ?? 0n;
  for (const { qty, members: line } of lines) {
    const price = decimalOf(line.itemPrice ?? null);
    if (price === undefined) return undefined;
    total += timesCount(price, qty);
  }
  const sum = bounded(total);
  return sum === undefined ? undefined : formatDecimal(sum);
}
