import { checkContact } from "@headwater/records/contacts/checkContact";
import { identifiersTouched, readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { defineInternalOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { body, record } from "./schema.ts";

/** A partner's refund: it sets the status of an order and nothing else, which no body of upsertOrder can say. */
export const setOrderStatus = defineInternalOperation({
  name: "setOrderStatus",
  body,
  record,
  sample: {
    contact: { identifiers: { email: "ann@example.com" } },
    order: { orderID: "A-1001", status: "refunded" },
  },
  check: ({ contact }) => checkContact(contact, "/contact"),
  split: ({ contact, order }) => [{ contact, members: { contact, order } }],
  reads: ({ contact, order: { orderID: orderId } }, origin) => {
    const read = readIdentifiers(contact, origin);
    return { identifiers: identifiersTouched(read), read, members: true, orderId };
  },
  fold,
});
