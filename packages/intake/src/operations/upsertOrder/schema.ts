import { shapes } from "@headwater/contracts";
import { z } from "zod";

const { orderID, purchaseDate, items, ...optional } = shapes.order.shape;

/** An order as it is sent: a member that is absent stays as it is, null removes it. */
const order = z
  .strictObject({
    orderID,
    purchaseDate,
    status: optional.status.nullable(),
    currency: optional.currency.nullable(),
    items,
    discountApplication: optional.discountApplication.nullable(),
    tax: optional.tax.nullable(),
    shippingAndHandling: optional.shippingAndHandling.nullable(),
    totalAmount: optional.totalAmount.nullable(),
    shippingAddress: optional.shippingAddress.nullable(),
    billingAddress: optional.billingAddress.nullable(),
    properties: optional.properties.nullable(),
    mcID: optional.mcID.nullable(),
    msID: optional.msID.nullable(),
    linkID: optional.linkID.nullable(),
    customerID: optional.customerID.nullable(),
    storeID: optional.storeID.nullable(),
    cartID: optional.cartID.nullable(),
  })
  .meta({ description: "Members that are absent stay as they are; null removes an optional one." });

export const body = z.strictObject({
  source: shapes.source,
  suppressTriggers: shapes.suppressTriggers,
  contact: shapes.contact,
  order,
});
export type Body = z.infer<typeof body>;

/** The registry takes no member that may be null from now on: those that are removed are named next to the order. */
export const record = z.strictObject({
  ...shapes.recordMembers,
  contact: shapes.contact,
  order: shapes.order,
  removed: z.array(z.string()).optional(),
});
