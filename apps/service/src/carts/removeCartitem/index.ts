import type { Answer, Route } from "@headwater/http";
import type { z } from "zod";
import { successExample, successShape } from "../../answers/success.ts";
import type { WritePorts } from "../../ports.ts";
import { defineWriteRoute, type WriteCall } from "../../writing/writeRoute.ts";
import { writeCart } from "../writeCart.ts";
import { params, paramsOfSku, readQty } from "./schema.ts";

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
