import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { newContactBody, newContactExample } from "../contactBody.ts";
import { contactAnswerShape, contactExample } from "../contactShape.ts";
import { contactWarnings } from "../contactWarnings.ts";
import { upsertContact } from "../saveContact.ts";

export function createContact(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contacts",
    operationId: "createContact",
    summary: "Creates a contact, or updates the one that its keys match.",
    description:
      "A contact is matched by its primary keys, then by the keys of `identifyBy`. Absent members stay unchanged, `null` removes a member, `{add, remove}` edits an array. The write is all or nothing: an address of another contact is a 422 `MERGE_CONFLICT` unless `mergeOptions` allows a merge.",
    tags: ["contacts"],
    answers: {
      200: {
        description: "The contact existed and was updated.",
        schema: contactAnswerShape,
        example: contactExample,
      },
      201: { description: "The contact was created.", schema: contactAnswerShape, example: contactExample },
    },
    scope: "contacts:write",
    dryRun: "rolledBack",
    target: "cID",
    ifMatch: true,
    body: newContactBody,
    warnsOf: contactWarnings,
    requestExample: newContactExample,
    handler: ({ body, once, header }) => upsertContact({ body, once, ifMatch: header("if-match") }, ports),
  });
}
