import type { Json } from "@headwater/contracts";
import { type WriteDigits, withDigits } from "./writtenDigits.ts";

const PRICES = ["itemPrice", "amount"];

/** Writes the decimals of a cart's document, which are texts of digits in it. */
export function shownCart(document: { readonly [name: string]: Json }, writeDigits: WriteDigits) {
  const items = Array.isArray(document.items) ? document.items : [];
  return {
    ...withDigits(document, ["tax", "totalAmount"], writeDigits),
    items: items.map((item) => withDigits(Object(item), PRICES, writeDigits)),
  };
}
