import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { writeCart } from "../writeCart.ts";
import { params, paramsOfSku } from "./schema.ts";

const description =
  "Without a `sku` from the lines of the product in order of `sku`. A line below 1 goes; more than there is is no error.";
const shared = {
  method: "DELETE",
  tags: ["contacts"],
  description,
  answers: {
    200: { description: "The quantity is out of the cart.", schema: successShape, example: successExample },
    404: { description: "CONTACTS_CONTACT_NOT_FOUND: there is no contact with this key; or the quantity is none." },
  },
  scope: "contacts:write",
} as const;

export function removeCartitem(ports: ServicePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}",
    operationId: "removeCartitem",
    summary: "Takes a quantity of a product out of the cart.",
    params,
    handler: ({ params: { primary_key: primaryKey, ...line }, once }) =>
      writeCart({ primaryKey, once, request: { kind: "remove", line }, status: 200 }, ports),
  });
}

export function removeCartitemOfSku(ports: ServicePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}/{sku}",
    operationId: "removeCartitemOfSku",
    summary: "Takes a quantity of a line out of the cart.",
    params: paramsOfSku,
    handler: ({ params: { primary_key: primaryKey, ...line }, once }) =>
      writeCart({ primaryKey, once, request: { kind: "remove", line }, status: 200 }, ports),
  });
}
