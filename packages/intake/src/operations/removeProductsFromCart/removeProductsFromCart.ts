import { cartReads } from "@headwater/records/carts/changeCart";
import { checkContact } from "@headwater/records/contacts/checkContact";
import { defineOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { body, record } from "./schema.ts";

export const removeProductsFromCart = defineOperation({
  name: "removeProductsFromCart",
  summary: "Removes products from the cart of a contact.",
  batchItemsMax: 500,
  body,
  record,
  sample: {
    contact: { identifiers: { email: "ann@example.com" } },
    products: [{ productID: "85123A", sku: "85123A", qty: 2 }],
  },
  check: ({ contact }) => checkContact(contact, "/contact"),
  split: ({ contact, products }) => [{ contact, members: { contact, products } }],
  reads: ({ contact }, origin) => cartReads(contact, origin),
  fold,
});
