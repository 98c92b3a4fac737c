import { z } from "zod";

const text = z.string().optional();
const amount = z.number().optional();
const flag = z.boolean().optional();
const texts = z.array(z.string()).optional();
const freeForm = z.record(z.string(), z.unknown()).optional();

const postal = z.strictObject({ name: text, address: text, city: text, state: text, postalCode: text, country: text });

const item = z.strictObject({
  productID: z.string(),
  sku: text,
  name: text,
  manufacturerName: text,
  category: text,
  description: text,
  productType: text,
  UPCCode: text,
  itemPrice: amount,
  salePrice: amount,
  qty: z.number().int(),
  amount: amount.describe("`qty` times `itemPrice`."),
  url: text,
  images: texts,
  tags: texts,
  inStock: flag,
  taxable: flag,
  enabled: flag,
  properties: freeForm,
  attr: freeForm,
});

/** An order as answers show it. */
export const orderAnswer = z.strictObject({
  orderID: z.string(),
  cID: z.string(),
  purchaseDate: z.string(),
  currency: z.string(),
  status: text,
  items: z.array(item),
  totalAmount: amount.describe(
    "As given, else the sum of the items. Absent where an item has no price, or where the sum is not below 10^14.",
  ),
  totalComputed: z.literal(true).optional(),
  discountApplication: z.strictObject({ type: z.literal("fixed"), amount: z.number() }).optional(),
  totalDiscountAmount: amount,
  tax: amount,
  shippingAndHandling: amount,
  shippingAddress: postal.optional(),
  billingAddress: postal.optional(),
  properties: freeForm,
  customerID: text,
  storeID: text,
  mcID: text,
  msID: text,
  linkID: text,
  cartID: text,
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
