import { checkFreeForm } from "@headwater/contracts";
import { identifiersTouched, readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { defineInternalOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { type Body, body, record } from "./schema.ts";

/** A line of an order import: the body of an order of `/v2`, which may lack items and removes with `null`. */
export const importOrder = defineInternalOperation({
  name: "importOrder",
  suppressesTriggers: true,
  body,
  record,
  decimalMembers: ["itemPrice", "salePrice", "amount", "tax", "shippingAndHandling", "totalAmount"],
  sample: {
    contact: { identifiers: { email: "ann@example.com" }, canBeCreated: true },
    order: {
      orderID: "A-1001",
      purchaseDate: "2026-01-09T22:47:12Z",
      status: null,
      items: [{ productID: "85123A", sku: "85123A", name: "White hanging heart", itemPrice: "2.55", qty: 6 }],
    },
  },
  check: ({ order }) => checkOrder(order),
  split: ({ contact, order, strategy }) => [{ contact, members: { contact, order, ...(strategy && { strategy }) } }],
  reads: ({ contact, order: { orderID: orderId, cartID } }, origin) => {
    const read = readIdentifiers(contact, origin);
    return { identifiers: identifiersTouched(read), read, members: true, orderId, cart: typeof cartID === "string" };
  },
  fold,
});

function checkOrder({ properties, items }: Body["order"]) {
  return [
    ...checkFreeForm({ properties }, "/order"),
    ...(items ?? []).flatMap(({ properties: own, attr }, index) =>
      checkFreeForm({ properties: own, attr }, `/order/items/${index}`),
    ),
  ];
}
