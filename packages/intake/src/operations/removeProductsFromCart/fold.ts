import { cartOf, removeProducts } from "@headwater/records/carts/changeCart";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import { resolveContact } from "@headwater/records/contacts/resolveContact";
import type { FoldEvent } from "@headwater/records/fold/foldEvents";
import type { FoldState } from "@headwater/records/fold/foldState";
import { applied, type Folded, folded, skipped, unresolved } from "@headwater/records/fold/outcome";
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
