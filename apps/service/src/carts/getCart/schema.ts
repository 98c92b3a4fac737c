import { z } from "zod";
import { afterQuery } from "../../paging/query.ts";
import { cartLineExample } from "../cartBody.ts";

export const query = z.strictObject(afterQuery);

const text = z.string().optional();
const amount = z.number().optional();
const freeForm = z.record(z.string(), z.unknown()).optional();

/** `totalAmount` is absent when a line has no price. */
export const cartAnswer = z.strictObject({
  cartID: text,
  customerID: text,
  mcID: text,
  linkID: text,
  url: text,
  expiration: text,
  tax: amount,
  items: z.array(
    z.strictObject({
      productID: z.string(),
      sku: z.string(),
      qty: z.number().int(),
      category: text,
      name: text,
      description: text,
      itemPrice: amount,
      amount,
      url: text,
      images: z.array(z.string()).optional(),
      properties: freeForm,
      attr: freeForm,
    }),
  ),
  totalAmount: amount,
  updatedAt: text,
});

export const cartExample = {
  cartID: "C-1001",
  items: [{ ...cartLineExample, amount: 15.3 }],
  totalAmount: 15.3,
  updatedAt: "2026-01-09T22:47:12.000Z",
};
