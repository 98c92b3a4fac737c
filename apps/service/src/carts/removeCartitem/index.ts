import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { writeCart } from "../writeCart.ts";
import { params, paramsOfSku } from "./schema.ts";

const description =
  "Without `sku`, the quantity is taken from the product's lines in order of `sku`. A line that drops below 1 is removed; removing more than the cart holds is not an error.";
const shared = {
  method: "DELETE",
  tags: ["contacts"],
  description,
  answers: {
    200: { description: "The updated cart.", schema: successShape, example: successExample },
    404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key; or the quantity is invalid." },
  },
  scope: "contacts:write",
} as const;

export function removeCartitem(ports: WritePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}",
    operationId: "removeCartitem",
    summary: "Removes a quantity of a product from the cart.",
    params,
    handler: ({ params: { primary_key: primaryKey, ...line }, once }) =>
      writeCart({ primaryKey, once, request: { kind: "remove", line }, status: 200 }, ports),
  });
}

export function removeCartitemOfSku(ports: WritePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}/{sku}",
    operationId: "removeCartitemOfSku",
    summary: "Removes a quantity of a line from the cart.",
    params: paramsOfSku,
    handler: ({ params: { primary_key: primaryKey, ...line }, once }) =>
      writeCart({ primaryKey, once, request: { kind: "remove", line }, status: 200 }, ports),
  });
}
