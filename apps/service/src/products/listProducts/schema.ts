import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import { productAnswer, productExample } from "../productShape.ts";

export const query = z.strictObject({ ...listQuery, sort_by: z.enum(["ct", "productID"]).optional() });
export type ProductsQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({ createdAt: z.number().int(), productId: storableText(1_024) });

export const productsAnswer = pageOf(productAnswer.partial());

export const productsExample = {
  data: [productExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
