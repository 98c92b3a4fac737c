import { z } from "zod";
import { afterQuery } from "../../paging/query.ts";
import { cartLineExample } from "../cartBody.ts";

export const query = z.strictObject(afterQuery);

/** Open: a cart and its lines keep every member that was given. `totalAmount` is absent when a line has no price. */
export const cartAnswer = z.looseObject({
  items: z.array(
    z.looseObject({
      productID: z.string(),
      sku: z.string(),
      qty: z.number().int(),
      itemPrice: z.number().optional(),
      amount: z.number().optional(),
    }),
  ),
  totalAmount: z.number().optional(),
  updatedAt: z.string().optional(),
});

export const cartExample = {
  cartID: "C-1001",
  items: [{ ...cartLineExample, amount: 15.3 }],
  totalAmount: 15.3,
  updatedAt: "2026-01-09T22:47:12.000Z",
};
