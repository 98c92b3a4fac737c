import { type Json, toTimestamp } from "@headwater/contracts";
import type { Cart } from "../carts/cart.ts";
import { viewCart } from "../carts/cartView.ts";
import { decimalNumber } from "./decimalNumber.ts";
import { type WriteDigits, withDigits } from "./writtenDigits.ts";

const PRICES = ["itemPrice", "amount"];

/** Writes the decimals of a cart's document, which are texts of digits in it. */
export function cartView(document: { readonly [name: string]: Json }, writeDigits: WriteDigits) {
  const items = Array.isArray(document.items) ? document.items : [];
  return {
    ...withDigits(document, ["tax", "totalAmount"], writeDigits),
    items: items.map((item) => withDigits(Object(item), PRICES, writeDigits)),
  };
}

const EMPTY = { items: [], totalAmount: 0 };

/** The cart of a contact as a GET shows it: without items where there is none, or from its expiration on. */
export function cartRecord(cart: Cart | undefined, nowMs: number): object {
  if (cart === undefined) return EMPTY;
  const { document, expiresAt } = viewCart(cart);
  if (expiresAt === undefined || expiresAt > nowMs) return cartView(document, decimalNumber);
  return { ...EMPTY, updatedAt: toTimestamp(expiresAt) };
}
