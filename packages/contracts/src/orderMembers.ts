import { z } from "zod";
import { bounds } from "./bounds.ts";
import { decimal, freeForm, order, orderItem, postal as postalShape, text } from "./shapes.ts";

const { status, currency } = order.shape;
const postal = z.object(postalShape.shape);
const amount = decimal.nullish();
const one = text.nullish();

/** Members that a body of `/v2` has of an order next to its id, its contact and its purchase; unknown members are left out, `null` removes. */
export const orderMembers = {
  status: status.nullish(),
  currency: currency.nullish(),
  items: z.array(z.object(orderItem.shape)).max(bounds.itemsPerOrder).nullish(),
  discountApplication: z.object({ type: z.literal("fixed"), amount: decimal }).nullish(),
  tax: amount,
  shippingAndHandling: amount,
  totalAmount: amount,
  shippingAddress: postal.nullish(),
  billingAddress: postal.nullish(),
  properties: freeForm.nullish(),
  mcID: one,
  msID: one,
  linkID: one,
  customerID: one,
  storeID: one,
  cartID: one,
};
