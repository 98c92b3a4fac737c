import type { Cart } from "@headwater/records/carts/cart";
import { addProducts, cartOf, writeCart } from "@headwater/records/carts/changeCart";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import { resolveContact } from "@headwater/records/contacts/resolveContact";
import type { FoldEvent } from "@headwater/records/fold/foldEvents";
import type { FoldState } from "@headwater/records/fold/foldState";
import { applied, type Folded, folded, skipped, unresolved } from "@headwater/records/fold/outcome";
import type { AddProductsToCartRecord } from "./schema.ts";

/** Adds the products to the contact's cart, in order of arrival. What the cart has no space for is left, and said so. */
export function fold(state: FoldState, record: AddProductsToCartRecord, origin: Origin): Folded {
  const found = resolveContact(state, record.contact, origin);
  if (found.kind !== "contact") return folded(unresolved(found, "/contact", record.contact));
  const contact = found.contact.number;
  const { cart, left } = addProducts(cartOf(state, contact, origin), record.products, origin);
  const isFull = left === record.products.length;
  const written = isFull ? [] : [put(state, writeCart(cart, record.cart, origin.account.settings.timezone))];
  const events = [...found.changeEvents, ...written];
  if (isFull && !found.identityChanged && found.tally.changed === 0) {
    return folded(skipped("CART_FULL", found.warnings), events);
  }
  const warnings = left > 0 ? new Set([...found.warnings, "CART_FULL" as const]) : found.warnings;
  return folded(applied(contact, warnings), events);
}

function put(state: FoldState, cart: Cart): FoldEvent {
  state.setCart(cart);
  return { kind: "cart", cart };
}
