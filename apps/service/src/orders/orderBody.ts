import { shapes } from "@headwater/contracts";
import { z } from "zod";
import { successShape } from "../answers/success.ts";

const { order, orderItem, identifiers, freeForm, text, bounds, decimal } = shapes;

/** Members whose numbers keep every digit. */
export const exactMembers: ReadonlySet<string> = new Set([
  ...["itemPrice", "salePrice", "amount", "tax", "shippingAndHandling", "totalAmount"],
]);

const postal = z.object(shapes.postal.shape);
const { status, currency } = order.shape;
const amount = decimal.nullish();
const one = text.nullish();

/** Members of an order beside its id, its contact and its purchase; unknown members are left out, `null` removes. */
const members = {
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

const whose = {
  cID: z.string().min(1).max(512).optional(),
  email: z.string().min(1).max(512).optional(),
  identifiers: identifiers.optional(),
  /** No automation is started by orders yet. */
  suppressTriggers: z.boolean().optional(),
};

export const newOrder = z.object({
  orderID: order.shape.orderID,
  purchaseDate: order.shape.purchaseDate,
  ...whose,
  ...members,
});
export const orderChanges = newOrder.partial();
export type OrderBody = z.output<typeof orderChanges>;

export const orderWritten = successShape.extend({ orderID: z.string() });

export const orderRequest = {
  orderID: "536365",
  purchaseDate: "2010-12-01T08:26:00Z",
  cID: "65f0c0ffee65f0c0ffee0001",
  status: "paid",
  items: [{ productID: "85123A", sku: "85123A", name: "Heart holder", qty: 6, itemPrice: "2.55" }],
};
