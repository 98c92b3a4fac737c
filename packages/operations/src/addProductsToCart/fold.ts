import { applied, type FoldState, type Outcome, skipped, unresolved } from "@headwater/domain";
import { addProducts, cartOf, writeCart } from "@headwater/domain/cart";
import { type Origin, resolveContact } from "@headwater/domain/contact";
import type { AddProductsToCartRecord } from "./schema.ts";

/** Adds the products to the contact's cart, in order of arrival. What the cart has no room for is left, and said so. */
export function fold(state: FoldState, record: AddProductsToCartRecord, origin: Origin): Outcome {
  const found = resolveContact(state, record.contact, origin);
  if (found.kind !== "contact") return unresolved(found, "/contact");
  const contact = found.contact.number;
  const { cart, left } = addProducts(cartOf(state, contact, origin), record.products, origin);
  const isFull = left === record.products.length;
  if (!isFull) state.setCart(writeCart(cart, record.cart, origin.account.settings.timezone));
  if (isFull && !found.identityChanged && found.tally.changed === 0) return skipped("CART_FULL", found.warnings);
  const warnings = left > 0 ? new Set([...found.warnings, "CART_FULL" as const]) : found.warnings;
  return applied(contact, warnings);
}
