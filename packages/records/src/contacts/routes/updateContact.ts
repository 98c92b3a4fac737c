import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { contactBody } from "../contactBody.ts";
import { contactAnswerShape, contactExample, contactParams } from "../contactShape.ts";
import { contactWarnings } from "../contactWarnings.ts";
import { mayLeaveLists, updateContact as update } from "../saveContact.ts";

export function updateContact(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/contacts/{primary_key}",
    operationId: "updateContact",
    summary: "Updates a contact.",
    description:
      "Absent members stay unchanged, `null` removes a member, `{add, remove}` edits an array. The write is all or nothing.",
    tags: ["contacts"],
    answers: {
      200: { description: "The updated contact.", schema: contactAnswerShape, example: contactExample },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    },
    scope: "contacts:write",
    dryRun: "rolledBack",
    target: "cID",
    ifMatch: true,
    params: contactParams,
    body: contactBody,
    warnsOf: contactWarnings,
    requestExample: { attributes: { country: "FR", lifetime_value: null }, lists: { vip: false } },
    returnsStored: (body) => !mayLeaveLists(body),
    handler: ({ params: { primary_key }, body, once, header }) =>
      update(primary_key, { body, once, ifMatch: header("if-match") }, ports),
  });
}
