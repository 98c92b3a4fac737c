import { applied, type FoldEvent, type Folded, type FoldState, folded, skipped, unresolved } from "@headwater/domain";
import { cartOf, removeProducts } from "@headwater/domain/cart";
import { type Origin, resolveContact } from "@headwater/domain/contact";
import type { RemoveProductsFromCartRecord } from "./schema.ts";

/** Takes the products out of the contact's cart, in order of arrival. */
export function fold(state: FoldState, record: RemoveProductsFromCartRecord, origin: Origin): Folded {
  const found = resolveContact(state, record.contact, origin);
  if (found.kind !== "contact") return folded(unresolved(found, "/contact", record.contact));
  const contact = found.contact.number;
  const cart = removeProducts(cartOf(state, contact, origin), record.products, origin);
  const taken: FoldEvent[] = cart === undefined ? [] : [{ kind: "cart", cart }];
  if (cart !== undefined) state.setCart(cart);
  const isApplied = cart !== undefined || found.identityChanged || found.tally.changed > 0;
  const outcome = isApplied ? applied(contact, found.warnings) : skipped("UNCHANGED", found.warnings);
  return folded(outcome, [...found.changeEvents, ...taken]);
}
