import { applied, type FoldState, type Outcome, skipped, unresolved } from "@headwater/domain";
import { cartOf, removeProducts } from "@headwater/domain/cart";
import { type Origin, resolveContact } from "@headwater/domain/contact";
import type { RemoveProductsFromCartRecord } from "./schema.ts";

/** Takes the products out of the contact's cart, in order of arrival. */
export function fold(state: FoldState, record: RemoveProductsFromCartRecord, origin: Origin): Outcome {
  const found = resolveContact(state, record.contact, origin);
  if (found.kind !== "contact") return unresolved(found, "/contact");
  const contact = found.contact.number;
  const cart = removeProducts(cartOf(state, contact, origin), record.products, origin);
  if (cart !== undefined) state.setCart(cart);
  const isApplied = cart !== undefined || found.identityChanged || found.tally.changed > 0;
  return isApplied ? applied(contact, found.warnings) : skipped("UNCHANGED", found.warnings);
}
