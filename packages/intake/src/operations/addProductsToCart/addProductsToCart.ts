import { checkFreeForm } from "@headwater/contracts";
import { cartReads } from "@headwater/records/carts/changeCart";
import { checkContact } from "@headwater/records/contacts/checkContact";
import { defineOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { body, record } from "./schema.ts";

export const addProductsToCart = defineOperation({
  name: "addProductsToCart",
  summary: "Adds products to the cart of a contact.",
  batchItemsMax: 500,
  body,
  record,
  decimalMembers: ["itemPrice", "tax"],
  sample: {
    contact: { identifiers: { email: "ann@example.com" }, attributes: { first_name: "Ann" }, canBeCreated: true },
    products: [
      {
        productID: "85123A",
        sku: "85123A",
        category: "Decoration",
        name: "White hanging heart",
        itemPrice: "2.55",
        qty: 6,
      },
    ],
    cart: { cartID: "C-1001", url: "https://shop.example.com/cart/C-1001", expiration: "2126-01-09" },
  },
  check: ({ contact, products }) => [
    ...checkContact(contact, "/contact"),
    ...products.flatMap(({ properties, attr }, index) => checkFreeForm({ properties, attr }, `/products/${index}`)),
  ],
  split: ({ contact, products, cart }) => [{ contact, members: { contact, products, cart } }],
  reads: ({ contact }, origin) => cartReads(contact, origin),
  fold,
});
