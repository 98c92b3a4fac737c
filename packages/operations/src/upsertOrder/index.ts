import { identifiersTouched, readIdentifiers } from "@headwater/contracts";
import { checkContact, deeperThan } from "../contactWrite.ts";
import { defineOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { type Body, body, record } from "./schema.ts";

export const upsertOrder = defineOperation({
  name: "upsertOrder",
  summary: "Creates or updates an order of a contact.",
  batchItemsMax: 100,
  body,
  record,
  decimalMembers: ["itemPrice", "salePrice", "amount", "tax", "shippingAndHandling", "totalAmount"],
  sample: {
    contact: { identifiers: { email: "ann@example.com" }, attributes: { first_name: "Ann" }, canBeCreated: true },
    order: {
      orderID: "A-1001",
      purchaseDate: "2026-01-09T22:47:12Z",
      status: "paid",
      items: [{ productID: "85123A", sku: "85123A", name: "White hanging heart", itemPrice: "2.55", qty: 6 }],
      tax: "1.20",
    },
  },
  check: ({ contact, order }) => [...checkContact(contact, "/contact"), ...checkFreeForm(order)],
  split: ({ contact, order }) => [{ contact, members: { contact, order } }],
  lookups: ({ contact, order }, origin) => {
    const read = readIdentifiers(contact, origin);
    const identifiers = identifiersTouched(read);
    return { identifiers, read, members: true, orderId: order.orderID, attributes: contact.attributes };
  },
  fold,
});

const FREE_FORM_DEPTH_MAX = 5;

function checkFreeForm(order: Body["order"]) {
  const parts: [string, unknown][] = [["/order/properties", order.properties]];
  order.items.forEach((item, index) => {
    parts.push([`/order/items/${index}/properties`, item.properties], [`/order/items/${index}/attr`, item.attr]);
  });
  return parts
    .filter(([, value]) => typeof value === "object" && value !== null && deeperThan(value, FREE_FORM_DEPTH_MAX))
    .map(([path]) => ({ path, code: "out_of_range", message: "Properties nest at most 5 levels." }));
}
