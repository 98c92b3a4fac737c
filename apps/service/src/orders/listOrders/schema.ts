import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { bound, listQuery, storableText } from "../../paging/query.ts";
import { orderAnswer, orderExample } from "../orderSchema.ts";

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["purchaseDate", "orderID"]).optional(),
  cID: storableText(512).optional(),
  email: storableText(512).optional(),
  purchaseDate: bound,
  "purchaseDate[gt]": bound,
  "purchaseDate[gte]": bound,
  "purchaseDate[lt]": bound,
  "purchaseDate[lte]": bound,
});
export type OrdersQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({ purchasedAt: z.number().int(), orderId: storableText(1_024) });

export const ordersAnswer = pageOf(orderAnswer.partial());

export const ordersExample = {
  data: [orderExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
