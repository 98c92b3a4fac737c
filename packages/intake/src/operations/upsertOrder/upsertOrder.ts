import { checkFreeForm } from "@headwater/contracts";
import { checkContact } from "@headwater/records/contacts/checkContact";
import { identifiersTouched, readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { foldOrder, nullsOf } from "../foldOrder.ts";
import { defineOperation, sentMembers } from "../operation.ts";
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
  check: ({ contact, order }) => [...checkContact(contact, "/contact"), ...checkOrder(order)],
  split: ({ contact, order }) => [{ contact, members: { contact, ...withoutNulls(order) } }],
  itemOf: ({ contact, order, removed, ...record }) => ({
    ...sentMembers(record),
    contact,
    order: removed === undefined ? order : { ...order, ...nullsOf(removed) },
  }),
  reads: ({ contact, order: { orderID: orderId, cartID } }, origin) => {
    const read = readIdentifiers(contact, origin);
    const identifiers = identifiersTouched(read);
    return { identifiers, read, members: true, orderId, cart: cartID !== undefined };
  },
  fold: (state, record, origin) => foldOrder(state, record, origin),
});

/** Returns the members that are written and the names of those that are removed. */
function withoutNulls(order: Body["order"]) {
  const entries = Object.entries(order);
  const removed = entries.flatMap(([name, value]) => (value === null ? [name] : []));
  if (removed.length === 0) return { order };
  return { order: Object.fromEntries(entries.filter(([, value]) => value !== null)), removed };
}

function checkOrder({ properties, items }: Body["order"]) {
  return [
    ...checkFreeForm({ properties }, "/order"),
    ...items.flatMap((item, index) => {
      return checkFreeForm({ properties: item.properties, attr: item.attr }, `/order/items/${index}`);
    }),
  ];
}
