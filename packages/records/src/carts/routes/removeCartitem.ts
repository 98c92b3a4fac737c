import { successExample, successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute, type WriteCall } from "@headwater/api/writing/writeRoute";
import { shapes } from "@headwater/contracts";
import { type Answer, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import { writeCart } from "../writeCart.ts";

const DIGITS = "^[1-9][0-9]{0,9}$";
const qty = z.string().regex(new RegExp(DIGITS)).transform(Number).pipe(shapes.cartItemForRemoval.shape.qty);

/** Reads the quantity of the path. Throws 422 `VALIDATION_ERROR`: it names no record, so nothing is not found. */
function readQty(input: string): number {
  const parsed = qty.safeParse(input);
  if (parsed.success) return parsed.data;
  const message = "`qty` must be a whole number of at least 1.";
  throw refusal("VALIDATION_ERROR", message, { details: [{ path: "/qty", code: "out_of_range", message }] });
}

const params = z.strictObject({
  primary_key: z.string().min(1),
  productID: storableText(512).min(1),
  /** Read by `readQty`. */
  qty: z.string().meta({ pattern: DIGITS }),
});
const paramsOfSku = params.extend({ sku: storableText(512) });

const description =
  "Without `sku`, the quantity is taken from the product's lines in order of `sku`. A line that drops below 1 is removed; removing more than the cart holds is not an error.";
const shared = {
  method: "DELETE",
  tags: ["contacts"],
  description,
  answers: {
    200: { description: "The updated cart.", schema: successShape, example: successExample },
    404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    422: { description: "VALIDATION_ERROR: the quantity is no whole number of at least 1." },
  },
  scope: "contacts:write",
  dryRun: { class: "rolledBack", record: "/v2/contacts/{primary_key}/cart" },
  ifMatch: true,
} as const;

export function removeCartitem(ports: WritePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}",
    operationId: "removeCartitem",
    summary: "Removes a quantity of a product from the cart.",
    params,
    handler: (call) => remove(call, ports),
  });
}

export function removeCartitemOfSku(ports: WritePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}/{sku}",
    operationId: "removeCartitemOfSku",
    summary: "Removes a quantity of a line from the cart.",
    params: paramsOfSku,
    handler: (call) => remove(call, ports),
  });
}

type Removal = WriteCall<z.output<typeof params> & { readonly sku?: string | undefined }, unknown, undefined>;

function remove(
  { params: { primary_key: primaryKey, qty, ...line }, once, header }: Removal,
  ports: WritePorts,
): Promise<Answer> {
  const request = { kind: "remove", line: { ...line, qty: readQty(qty) } } as const;
  return writeCart({ primaryKey, once, ifMatch: header("if-match"), request, status: 200 }, ports);
}
