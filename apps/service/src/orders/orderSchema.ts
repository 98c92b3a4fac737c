import { z } from "zod";

const postal = z.looseObject({});

/** An order as answers show it. Open: an order keeps every member that was given. */
export const orderAnswer = z.looseObject({
  orderID: z.string(),
  cID: z.string(),
  purchaseDate: z.string(),
  currency: z.string(),
  status: z.string().optional(),
  items: z.array(z.looseObject({ productID: z.string(), qty: z.number().int(), amount: z.number().optional() })),
  totalAmount: z
    .number()
    .optional()
    .describe(
      "As given, else the sum of the items. Absent where an item has no price, or where the sum is not below 10^14.",
    ),
  totalComputed: z.literal(true).optional(),
  totalDiscountAmount: z.number().optional(),
  tax: z.number().optional(),
  shippingAndHandling: z.number().optional(),
  shippingAddress: postal.optional(),
  billingAddress: postal.optional(),
});

export const orderExample = {
  orderID: "536365",
  cID: "65f0c0ffee65f0c0ffee0001",
  purchaseDate: "2010-12-01T08:26:00.000Z",
  items: [{ productID: "85123A", sku: "85123A", name: "Heart holder", qty: 6, itemPrice: 2.55, amount: 15.3 }],
  totalAmount: 15.3,
  totalComputed: true,
  currency: "GBP",
};
