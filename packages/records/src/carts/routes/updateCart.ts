import { successExample, successShape } from "@headwater/api/answers/success";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { contactParams } from "../../contacts/contactShape.ts";
import { cartBody, cartBodyExample, exactCartMembers } from "../cartBody.ts";
import { toRequest, writeCart } from "../writeCart.ts";

export function updateCart(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/contacts/{primary_key}/cart",
    operationId: "updateCart",
    summary:
      "Updates members of the cart. Absent members stay unchanged, null removes one, `cartitems` replaces all lines.",
    tags: ["contacts"],
    answers: {
      200: { description: "The updated cart.", schema: successShape, example: successExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    },
    scope: "contacts:write",
    dryRun: "rolledBack",
    ifMatch: true,
    returnsStored: true,
    params: contactParams,
    body: cartBody,
    exactMembers: exactCartMembers,
    requestExample: cartBodyExample,
    handler: ({ params, body: { suppressTriggers, ...body }, once, header }) =>
      writeCart(
        {
          primaryKey: params.primary_key,
          once,
          ifMatch: header("if-match"),
          request: toRequest(body, false),
          suppressTriggers,
          status: 200,
        },
        ports,
      ),
  });
}
