import { shapes } from "@headwater/contracts";
import { z } from "zod";
import { storableText } from "../../paging/query.ts";

const qty = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .pipe(shapes.cartItemForRemoval.shape.qty);

export const params = z.strictObject({
  primary_key: z.string().min(1),
  productID: storableText(512).min(1),
  qty,
});
export const paramsOfSku = params.extend({ sku: storableText(512) });
