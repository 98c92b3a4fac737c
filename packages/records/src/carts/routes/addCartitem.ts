import { successExample, successShape } from "@headwater/api/answers/success";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { contactParams } from "../../contacts/contactShape.ts";
import { addedLine, cartLineExample, exactCartMembers } from "../cartBody.ts";
import { toAddition, writeCart } from "../writeCart.ts";

export function addCartitem(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts/{primary_key}/cartitems",
    operationId: "addCartitem",
    summary: "Adds a product to the cart. Quantities of the same line add up; its other members are overwritten.",
    tags: ["contacts"],
    answers: {
      201: { description: "The product is in the cart.", schema: successShape, example: successExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    },
    scope: "contacts:write",
    dryRun: { class: "rolledBack", record: "/v2/contacts/{primary_key}/cart" },
    ifMatch: true,
    params: contactParams,
    body: addedLine,
    exactMembers: exactCartMembers,
    requestExample: cartLineExample,
    handler: ({ params, body: { suppressTriggers, ...line }, once, header }) =>
      writeCart(
        {
          primaryKey: params.primary_key,
          once,
          ifMatch: header("if-match"),
          request: toAddition(line),
          suppressTriggers,
          status: 201,
        },
        ports,
      ),
  });
}
