import { successExample, successShape } from "@headwater/api/answers/success";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { contactParams } from "../../contacts/contactShape.ts";
import { cartBodyExample, exactCartMembers, newCartBody } from "../cartBody.ts";
import { toRequest, writeCart } from "../writeCart.ts";

export function setCart(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts/{primary_key}/cart",
    operationId: "setCart",
    summary: "Replaces the cart of a contact.",
    tags: ["contacts"],
    answers: {
      201: { description: "The new cart.", schema: successShape, example: successExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    },
    scope: "contacts:write",
    dryRun: { class: "rolledBack", record: "/v2/contacts/{primary_key}/cart" },
    ifMatch: true,
    returnsStored: true,
    params: contactParams,
    body: newCartBody,
    exactMembers: exactCartMembers,
    requestExample: cartBodyExample,
    handler: ({ params, body: { suppressTriggers, ...body }, once, header }) =>
      writeCart(
        {
          primaryKey: params.primary_key,
          once,
          ifMatch: header("if-match"),
          request: toRequest(body, true),
          suppressTriggers,
          status: 201,
        },
        ports,
      ),
  });
}
