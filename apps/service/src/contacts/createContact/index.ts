import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { newContactBody, newContactExample } from "../contactBody.ts";
import { contactAnswerShape, contactExample } from "../contactShape.ts";
import { upsertContact } from "../saveContact.ts";

export function createContact(ports: RoutePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts",
    operationId: "createContact",
    summary: "Creates a contact, or writes to the one that its keys find.",
    description:
      "A contact is found by its primary keys, then by the keys of `identifyBy`. Absent members are left, `null` removes one, `{add, remove}` edits an array. Nothing is written when a part of it cannot be: an address that another contact has is 422 `MERGE_CONFLICT` unless `mergeOptions` let both be merged.",
    tags: ["contacts"],
    answers: {
      200: {
        description: "The contact was there and was written to.",
        schema: contactAnswerShape,
        example: contactExample,
      },
      201: { description: "The contact was created.", schema: contactAnswerShape, example: contactExample },
    },
    scope: "contacts:write",
    ifMatch: true,
    body: newContactBody,
    requestExample: newContactExample,
    handler: ({ body, once, header }) => upsertContact({ body, once, ifMatch: header("if-match") }, ports),
  });
}
