import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { contactBody } from "../contactBody.ts";
import { contactAnswerShape, contactExample, contactParams } from "../contactShape.ts";
import { updateContact as update } from "../saveContact.ts";

export function updateContact(ports: RoutePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/contacts/{primary_key}",
    operationId: "updateContact",
    summary: "Writes to a contact.",
    description:
      "Absent members are left, `null` removes one, `{add, remove}` edits an array. Nothing is written when a part of it cannot be.",
    tags: ["contacts"],
    answers: {
      200: { description: "The contact as it is now.", schema: contactAnswerShape, example: contactExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: there is no contact with this key." },
    },
    scope: "contacts:write",
    ifMatch: true,
    params: contactParams,
    body: contactBody,
    requestExample: { attributes: { country: "FR", lifetime_value: null }, lists: { vip: false } },
    handler: ({ params: { primary_key }, body, once, header }) =>
      update(primary_key, { body, once, ifMatch: header("if-match") }, ports),
  });
}
