import { successExample, successShape } from "@headwater/api/answers/success";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { contactParams } from "../../contacts/contactShape.ts";
import { writeCart } from "../writeCart.ts";

export function clearCart(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/contacts/{primary_key}/cart",
    operationId: "clearCart",
    summary: "Empties the cart.",
    tags: ["contacts"],
    answers: {
      200: { description: "The cart is empty.", schema: successShape, example: successExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    },
    scope: "contacts:write",
    dryRun: "rolledBack",
    ifMatch: true,
    params: contactParams,
    handler: ({ params, once, header }) =>
      writeCart(
        { primaryKey: params.primary_key, once, ifMatch: header("if-match"), request: { kind: "clear" }, status: 200 },
        ports,
      ),
  });
}
