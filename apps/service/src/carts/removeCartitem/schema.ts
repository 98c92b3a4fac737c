import { shapes } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { z } from "zod";
import { storableText } from "../../paging/query.ts";

const DIGITS = "^[1-9][0-9]{0,9}$";
const qty = z.string().regex(new RegExp(DIGITS)).transform(Number).pipe(shapes.cartItemForRemoval.shape.qty);

/** Reads the quantity of the path. Throws 422 `VALIDATION_ERROR`: it names no record, so nothing is not found. */
export function readQty(given: string): number {
  const parsed = qty.safeParse(given);
  if (parsed.success) return parsed.data;
  const message = "`qty` must be a whole number of at least 1.";
  throw refusal("VALIDATION_ERROR", message, { details: [{ path: "/qty", code: "out_of_range", message }] });
}

export const params = z.strictObject({
  primary_key: z.string().min(1),
  productID: storableText(512).min(1),
  /** Read by `readQty`. */
  qty: z.string().meta({ pattern: DIGITS }),
});
export const paramsOfSku = params.extend({ sku: storableText(512) });
